import assert from "node:assert/strict";
import { CaptureError, type VisitRequest } from "../../../shared/capture/capture-types.ts";
import type { SelectorRegions } from "../../../shared/contracts/capture/ignore-region.ts";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { html } from "../../support/fixtures/sites/flake-pages.ts";

const at = (top: number, left: number, more = "") =>
  `<div class="ad" style="position:absolute;top:${top}px;left:${left}px;width:100px;height:50px;${more}">ad</div>`;

describe("elements in which changes don't count", () => {
  let context: CaptureTestContext;
  before(async () => {
    context = await CaptureTestContext.start(
      {
        "/ads": html(
          `${at(200, 20)}${at(1500, 40.5)}${at(10, 10, "display:none")}<div id="host"></div><div style="height:2000px"></div>
        <script>host.attachShadow({ mode: "closed" }).innerHTML = '<p class="inner" style="position:absolute;top:300px;left:0;width:30px;height:20px;margin:0"></p>'</script>`,
        ),
        "/card": html(
          `<div style="height:300px"></div><div class="card" style="position:relative;width:300px;height:200px;overflow:hidden">${at(20, 30)}${at(180, 30)}</div>${at(900, 0)}`,
        ),
        "/many": html(Array.from({ length: 150 }, (_, n) => at(10 * n, 0)).join("")),
        "/endless": html(
          `<script>const slow = Document.prototype.querySelectorAll; Document.prototype.querySelectorAll = function (s) { if (s === ".ad") for (;;); return slow.call(this, s) }</script>`,
        ),
      },
      { busyMs: 3_000 },
    );
  });
  after(() => context.stop());

  const capture = async (path: string, request: Partial<VisitRequest>) => {
    const [outcome] = await context.visit(path, request);
    assert.ok(outcome);
    return outcome;
  };
  const find = async (path: string, request: Partial<VisitRequest>): Promise<SelectorRegions[]> => {
    const outcome = await capture(path, request);
    assert.ok(!(outcome instanceof CaptureError), outcome instanceof Error ? outcome.message : "");
    return outcome.selectorRegions;
  };
  const ADS = [{ selector: ".ad" }];

  it("are found in the whole page and in shadow roots, without hidden ones", async () => {
    const ignoreSelectors = [...ADS, { selector: ".inner" }, { selector: ".none" }];
    assert.deepEqual(await find("/ads", { ignoreSelectors }), [
      {
        selector: ".ad",
        matches: 2,
        regions: [
          { x: 20, y: 200, width: 100, height: 50 },
          { x: 40, y: 1500, width: 101, height: 50 },
        ],
      },
      { selector: ".inner", matches: 1, regions: [{ x: 0, y: 300, width: 30, height: 20 }] },
      { selector: ".none", matches: 0, regions: [] },
    ]);
  });

  it("have a padding, and end at the edge of the image", async () => {
    const [ads] = await find("/ads", { ignoreSelectors: [{ selector: ".ad", padding: 30 }] });
    assert.deepEqual(ads?.regions[0], { x: 0, y: 170, width: 150, height: 110 });
  });

  it("are in pixels of a scaled image", async () => {
    const [ads] = await find("/ads", { environment: { deviceScaleFactor: 2 }, ignoreSelectors: ADS });
    assert.deepEqual(ads?.regions, [
      { x: 40, y: 400, width: 200, height: 100 },
      { x: 81, y: 3000, width: 200, height: 100 },
    ]);
  });

  it("are relative to an element's screenshot, and only those that it shows", async () => {
    const [ads] = await find("/card", { options: { element: ".card" }, ignoreSelectors: ADS });
    assert.deepEqual(ads, {
      selector: ".ad",
      matches: 2,
      regions: [
        { x: 30, y: 20, width: 100, height: 50 },
        { x: 30, y: 180, width: 100, height: 20 },
      ],
    });
  });

  it("are relative to the part of the page that a scrolled window shows", async () => {
    const steps = [{ action: "scrollTo", y: 1000 } as const];
    const [ads] = await find("/ads", { options: { steps, fullPage: false }, ignoreSelectors: ADS });
    assert.deepEqual(ads, {
      selector: ".ad",
      matches: 1,
      regions: [{ x: 40, y: 500, width: 101, height: 50 }],
    });
  });

  it("have at most 100 regions together", async () => {
    const [first, second] = await find("/many", { ignoreSelectors: [...ADS, ...ADS] });
    assert.deepEqual([first?.matches, first?.regions.length], [150, 100]);
    assert.deepEqual([second?.matches, second?.regions.length], [150, 0]);
  });

  it("fail the screenshot if their selector is invalid", async () => {
    const outcome = await capture("/ads", { ignoreSelectors: [...ADS, { selector: "::(" }] });
    assert.ok(outcome instanceof CaptureError);
    assert.deepEqual([outcome.code, outcome.message.includes('"::("')], ["selector_invalid", true]);
  });

  it("fail the screenshot of a page that is too slow to find them", async () => {
    const outcome = await capture("/endless", { ignoreSelectors: ADS });
    assert.ok(outcome instanceof CaptureError);
    assert.match(outcome.message, /selectors in the options keep the browser busy/);
  });
});
