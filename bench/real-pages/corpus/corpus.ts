import { CHARTS } from "./charts.ts";
import { COMPONENTS } from "./components.ts";
import { DOCUMENTATION } from "./documentation.ts";
import { WIDTHS } from "./plan-captures.ts";
import { pages, type Site } from "./site.ts";
import { TEMPLATES } from "./templates.ts";

/** Pages of third-party npm packages in bench/package.json. */
export const SITES: readonly Site[] = [...TEMPLATES, ...COMPONENTS, ...CHARTS, ...DOCUMENTATION];

/**
 * Fourteen pages of the corpus, as paths on its server, for tools whose requests can't be blocked. The pages send no
 * requests to other hosts. All of them become stable without user input.
 */
export const SELF_CONTAINED_PAGES = pages(`
  npm-docs/commands/npm-install npm-docs/using-npm/scripts uikit/tests/accordion uikit/tests/card uikit/tests/form
  uikit/tests/table dygraphs/tests/range-selector dygraphs/tests/stacked vis/examples/graph3d/10_styling
  vis/examples/network/layout/randomSeed aos/demo/simple snapsvg/demos/tutorial/index typed/docs/index reveal/index
`);

/** Describes what is captured, and under which conditions. */
export function describeCorpus(sites: Site[]): string {
  const pageCount = sites.reduce((sum, site) => sum + site.pages.length, 0);
  const packages = new Set(sites.map(site => site.package)).size;
  return `${pageCount} pages of ${packages} npm packages × ${WIDTHS.length} widths, two at once: templates, demos, charts and documentation, as published. Hosts outside the packages do not resolve.`;
}
