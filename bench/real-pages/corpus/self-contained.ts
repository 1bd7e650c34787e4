import { pages } from "./site.ts";

/**
 * Fourteen pages of the corpus, as paths on its server, for tools that cannot be kept from other hosts: these ask for
 * nothing there. All of them come to rest without a user.
 */
export const SELF_CONTAINED_PAGES = pages(`
  npm-docs/commands/npm-install npm-docs/using-npm/scripts uikit/tests/accordion uikit/tests/card uikit/tests/form
  uikit/tests/table dygraphs/tests/range-selector dygraphs/tests/stacked vis/examples/graph3d/10_styling
  vis/examples/network/layout/randomSeed aos/demo/simple snapsvg/demos/tutorial/index typed/docs/index reveal/index
`);
