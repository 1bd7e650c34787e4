/** Returns the URL of a Storybook's preview, without a story. @param site URL of the Storybook, or of its index or preview */
export function storybookUrl(site: string): string {
  return `${baseOf(site)}/iframe.html?viewMode=story`;
}

/** Returns the URL of a story in the preview. @param query globals, not encoded; empty for none */
export function previewUrlOf(site: string, { id, query }: { id: string; query: string }): string {
  return `${storybookUrl(site)}&id=${encodeURIComponent(id)}${globalsOf(query)}`;
}

/** Returns the URL of a story in the Storybook itself, for people. */
export function storyUrl(site: string, { id, query }: { id: string; query: string }): string {
  return `${baseOf(site)}/?path=/story/${encodeURIComponent(id)}${globalsOf(query)}`;
}

/** Returns the URL of a Storybook without a slash at its end. People copy the URL of a story, or of a file. */
function baseOf(site: string): string {
  return site
    .replace(/[?#].*$/, "")
    .replace(/\/(index|iframe)\.html$/, "")
    .replace(/\/+$/, "");
}

function globalsOf(query: string): string {
  return query === "" ? "" : `&globals=${encodeURIComponent(query)}`;
}
