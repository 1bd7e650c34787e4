import assert from "node:assert/strict";
import { placeOf, traceViewerOf } from "../../../dashboard/review/test-facts.ts";
import { isWebAddress } from "../../../dashboard/ui/text/web-address.ts";

describe("The test of an uploaded screenshot", () => {
  it("has its place in its file", () => {
    assert.equal(placeOf({ testFile: "cart.spec.ts", line: 12 }), "cart.spec.ts:12");
    assert.equal(placeOf({ testFile: "cart.spec.ts" }), "cart.spec.ts");
    assert.equal(placeOf({ line: 12 }), null);
  });

  it("has traces that open in the trace viewer, if they are on the web", () => {
    const url = "https://ci.example.com/a b/trace.zip?token=1&x=2#y";
    const viewer = new URL(traceViewerOf({ name: "Trace", url }) ?? "");
    assert.equal(viewer.origin, "https://trace.playwright.dev");
    assert.deepEqual([...viewer.searchParams], [["trace", url]]);
    assert.equal(traceViewerOf({ name: "video", url }), null);
    for (const script of ["javascript:alert(1)", "data:text/html,x", "file:///trace.zip", "trace.zip", ""]) {
      assert.equal(traceViewerOf({ name: "trace", url: script }), null, script);
      assert.equal(isWebAddress(script), false, script);
    }
  });
});
