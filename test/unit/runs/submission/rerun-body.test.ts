import assert from "node:assert/strict";
import { planScreenshots } from "../../../../services/runs/submission/plan-screenshots.rule.ts";
import { rerunBody } from "../../../../services/runs/submission/rerun-body.rule.ts";
import { keyOf } from "../../../../shared/contracts/capture/screenshot-key.ts";
import { submitRunBody } from "../../../../shared/contracts/runs/submit-run.ts";

describe("rerunBody", () => {
  const first = submitRunBody.parse({
    url: "https://example.com",
    routes: ["/", "/menu"],
    viewports: [390, { width: 1280, height: 900 }],
    options: {
      environments: { phone: { device: "iPhone 13" } },
      perRoute: { "/menu": { viewports: [{ width: 390, height: 500 }] } },
    },
  });
  const { options = {} } = first;
  const fields = { project: "shop", branch: null, scm: null, archive: null, submitted: null, intent: null };
  const run = { ...fields, url: first.url, threshold: first.threshold };
  const repeat = (regions: readonly string[], route?: string) => {
    const pages = planScreenshots(first, null, regions).filter(page =>
      [page.route, undefined].includes(route),
    );
    const body = rerunBody(run, { options, regions }, pages, route === undefined);
    return { pages, body, planned: planScreenshots(body, pages, regions) };
  };

  it("captures each page at its own viewport height again", () => {
    for (const regions of [[], ["eu-west", "us-east"]]) {
      const { pages, planned } = repeat(regions);
      assert.equal(pages.length, 5 * Math.max(1, regions.length));
      assert.deepEqual(planned, pages);
    }
  });

  it("has the options of the repeated routes only", () => {
    const { pages, body, planned } = repeat([], "/");
    assert.deepEqual([body.routes, body.options?.perRoute], [["/"], {}]);
    assert.deepEqual(planned.map(keyOf), pages.map(keyOf));
  });
});
