import { pages } from "./site.ts";

/**
 * Fourteen pages of the corpus, as paths on its server, for tools whose requests can't be blocked. The pages send no
 * requests to other hosts. All of them become stable without user input.
 */
export const SELF_CONTAINED_PAGES = pages(`
  npm-docs/commands/npm-install npm-docs/using-npm/scripts uikit/tests/accordion uikit/tests/card uikit/tests/form
  uikit/tests/table dygraphs/tests/range-selector dygraphs/tests/stacked vis/examples/graph3d/10_styling
  vis/examples/network/layout/randomSeed aos/demo/simple snapsvg/demos/tutorial/index typed/docs/index reveal/index
`);
