/** Returns the anchor that code hosts give a heading, so that one link works there and on the site. */
export function anchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]+/gu, "")
    .replaceAll(" ", "-");
}
