import assert from "node:assert/strict";
import sharp from "sharp";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { captured, colorsAt, failed } from "../../support/contexts/visit-outcomes.ts";
import { html } from "../../support/fixtures/sites/flake-pages.ts";

const MASK = "#8a8f98";
const [RED, GREEN, WHITE] = ["#d62828", "#2a9d8f", "#ffffff"];

describe("screenshots of elements", () => {
  let context: CaptureTestContext;
  before(async () => {
    const box = "position:absolute;left:50px;width:100px;height:60px";
    context = await CaptureTestContext.start({
      "/": html(`<div class="box" style="${box};top:100px;background:${RED}"></div>
        <div class="box" style="${box};top:2000px;width:80px;background:${GREEN}"></div>
        <div class="box" style="${box};top:300px;display:none"></div><div id="empty"></div>
        <div style="${box};top:400px;overflow:auto"><div style="height:500px"></div><p id="inner" style="margin:0;height:40px;background:${GREEN}"></p></div>
        <div style="position:absolute;top:2000px;height:100px;width:1px"></div>`),
    });
  });
  after(() => context.stop());

  const visit = async (options: object) => (await context.visit("/", { options }))[0];

  it("fail with the locator when there is none, or it has no size", async () => {
    const steps = [{ action: "screenshot", timeoutMs: 300 }];
    const missing = failed(await visit({ element: ".none", steps }));
    assert.deepEqual(
      [missing.code, /"\.none" appeared within 0\.3 seconds/.test(missing.message)],
      ["selector_missing", true],
    );
    const empty = failed(await visit({ element: "#empty", steps }));
    assert.match(empty.message, /"#empty" stayed invisible .* or have no size/);
  });

  it("show the first match, far down the page too, with padding", async () => {
    const first = captured(await visit({ element: ".box" }));
    assert.deepEqual([first.width, first.height], [100, 60]);
    assert.deepEqual(await colorsAt(first, [0, 0], [99, 59]), [RED, RED]);
    const padded = captured(await visit({ element: ".box >> nth=1", padding: 10 }));
    assert.deepEqual([padded.width, padded.height], [100, 80]);
    assert.deepEqual(await colorsAt(padded, [9, 9], [10, 10], [89, 69], [90, 70]), [
      WHITE,
      GREEN,
      GREEN,
      WHITE,
    ]);
  });

  it("show all visible matches below each other", async () => {
    const all = captured(await visit({ element: { selector: ".box", all: true } }));
    assert.deepEqual([all.width, all.height, all.stable], [100, 136, true]);
    assert.deepEqual(await colorsAt(all, [0, 59], [0, 60], [0, 75], [0, 76], [79, 135], [80, 135]), [
      RED,
      WHITE,
      WHITE,
      GREEN,
      GREEN,
      WHITE,
    ]);
  });

  it("show an element that is scrolled out of a box, and its mask", async () => {
    const inner = captured(await visit({ element: "#inner" }));
    assert.deepEqual(await colorsAt(inner, [5, 20]), [GREEN]);
    assert.deepEqual(
      await colorsAt(captured(await visit({ element: "#inner", masks: ["#inner"] })), [5, 20]),
      [MASK],
    );
    assert.deepEqual(await colorsAt(captured(await visit({ element: ".box", hide: [".box"] })), [5, 20]), [
      WHITE,
    ]);
  });

  it("can show the viewport only, or a part of the page's height", async () => {
    const scroll = { action: "scrollTo", y: 1_900 };
    const view = captured(await visit({ fullPage: false, steps: [scroll] }));
    const { height } = await sharp(view.png).metadata();
    assert.deepEqual([view.height, height], [800, 800]);
    const cut = captured(await visit({ maxHeight: 500 }));
    assert.deepEqual([cut.height, cut.cutFromHeight], [500, 2100]);
  });

  it("fail with the selector if it has no meaning, and leave the page usable", async () => {
    for (const element of ["div[", "nothing=x", "xpath=//["]) {
      const error = failed(await visit({ element }));
      assert.equal(error.code, "selector_invalid", error.message);
      assert.ok(error.message.includes(element), error.message);
    }
  });
});
