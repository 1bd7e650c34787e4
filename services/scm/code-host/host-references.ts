/** Tags are our own, and the URLs in them stay as they are. Foreign texts have no `<`. */
const TAG_OR_REFERENCE = /<[^>]*>|&#(?:33|36|37|38|58|126);(?=[\w"&])|\bGL(?=-\d)/gi;

/** Returns a comment without references of code hosts, such as `!1`. They read entities as characters. */
export function withoutReferences(body: string): string {
  return body.replaceAll(TAG_OR_REFERENCE, found => (found.startsWith("<") ? found : `${found}&#8203;`));
}
