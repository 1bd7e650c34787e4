/** URL under which pages of an archive see their site. No other host can have a name below `localhost`. */
export const ARCHIVE_URL = "http://archive.localhost/";

const ORIGIN = new URL(ARCHIVE_URL).origin;

/** Returns whether a URL is the site of an archive. It has no address outside of captures. */
export function isArchiveUrl(url: string): boolean {
  return URL.parse(url)?.origin === ORIGIN;
}
