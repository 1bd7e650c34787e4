import type { Explanation } from "../../../shared/contracts/runs/explanation.ts";

/**
 * Returns the URLs of files that caused a change and come from another site than the page. A subdomain of the page's
 * host belongs to the site, and so does the parent domain of `www`.
 * @param site URL of the page
 */
export function thirdPartiesOf(explanation: Explanation | null, site: string): string[] {
  const own = hostOf(site);
  const urls = (explanation?.causes ?? []).flatMap(({ file }) => (file === null ? [] : [file.url]));
  return [...new Set(urls)].filter(url => {
    const host = hostOf(url);
    return own !== null && host !== null && host !== own && !host.endsWith(`.${own}`);
  });
}

function hostOf(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed === null || parsed.hostname === "" ? null : parsed.hostname.replace(/^www\./, "");
}
