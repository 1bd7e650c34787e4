import { WIDTHS } from "./plan-captures.ts";
import type { Site } from "./site.ts";

/** Describes what is captured, and under which conditions. */
export function describeCorpus(sites: Site[]): string {
  const pages = sites.reduce((sum, site) => sum + site.pages.length, 0);
  const packages = new Set(sites.map(site => site.package)).size;
  return `${pages} pages of ${packages} npm packages × ${WIDTHS.length} widths, two at once: templates, demos, charts and documentation, as published. Hosts outside the packages do not resolve.`;
}
