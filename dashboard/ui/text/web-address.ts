/** Returns whether a URL is of the web, and no script. */
export function isWebAddress(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? "");
}
