import type { Explanation, RunCause } from "../../shared/contracts/runs/explanation.ts";

const HEADER: Explanation["causes"][number] = {
  kind: "style",
  key: "style header background app.css",
  text: "`header` background `#204060` → `#a03a3a`, by `app.css` (changed since 1a2b3c4)",
  selector: "header",
  elements: 1,
  property: "background-color",
  before: "#204060",
  after: "#a03a3a",
  file: { url: "https://pr-482.preview.acme.test/app.css", change: "changed", since: "1a2b3c4" },
  rule: "header",
};
const BANNER: Explanation["causes"][number] = {
  ...{ kind: "added", key: "added #banner", text: "`#banner` was added", selector: "#banner", elements: 1 },
  ...{ property: null, before: null, after: null, file: null, rule: null },
};

/** Why the changed screenshots of the captured pages changed, by their ids. */
export const EXPLANATIONS: Record<string, Explanation> = {
  scr_1_price: {
    causes: [HEADER, BANNER],
    effects: ["3 elements moved down by 300 px because `#banner` was added"],
    accessibility: [
      {
        ...{ kind: "name_lost", text: "The button `.buy` lost its name “Buy”", selector: ".buy" },
        ...{ before: "Buy", after: null },
      },
    ],
  },
  scr_2_home: { causes: [HEADER], effects: [], accessibility: [] },
  scr_3_about: { causes: [HEADER], effects: [], accessibility: [] },
};

export const RUN_CAUSES: RunCause[] = [
  { key: HEADER.key, kind: "style", text: HEADER.text, screenshots: 3, isProven: true },
  { key: BANNER.key, kind: "added", text: BANNER.text, screenshots: 1 },
];
