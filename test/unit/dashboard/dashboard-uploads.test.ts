import assert from "node:assert/strict";
import { placeOf, traceOf, traceViewerOf } from "../../../dashboard/review/test-facts.ts";
import { isWebAddress } from "../../../dashboard/ui/text/web-address.ts";

const link = (name: string, url: string) => ({ name, url, kind: "link" as const, bytes: null });

describe("The test of an uploaded screenshot", () => {
  it("has its place in its file", () => {
    assert.equal(placeOf({ testFile: "cart.spec.ts", line: 12 }), "cart.spec.ts:12");
    assert.equal(placeOf({ testFile: "cart.spec.ts" }), "cart.spec.ts");
    assert.equal(placeOf({ line: 12 }), null);
  });

  it("has traces that open in the trace viewer, if they are on the web", () => {
    const url = "https://ci.example.com/a b/trace.zip?token=1&x=2#y";
    const viewer = new URL(traceViewerOf(link("Trace", url)) ?? "");
    assert.equal(viewer.origin, "https://trace.playwright.dev");
    assert.deepEqual([...viewer.searchParams], [["trace", url]]);
    assert.equal(traceViewerOf(link("video", url)), null);
    for (const script of ["javascript:alert(1)", "data:text/html,x", "file:///trace.zip", "trace.zip", ""]) {
      assert.equal(traceViewerOf(link("trace", script)), null, script);
      assert.equal(isWebAddress(script), false, script);
    }
  });

  it("has uploaded traces that open in the service's own trace viewer", () => {
    const url = "v1/attachments/team_a/sig/hash/trace.zip";
    const trace = { name: "trace", url, kind: "zip" as const, bytes: 10 };
    const viewer = `trace-viewer/index.html?trace=${encodeURIComponent(`../${url}`)}`;
    assert.equal(traceViewerOf(trace), viewer);
    assert.equal(traceViewerOf({ ...trace, name: "files" }), null);
    assert.equal(traceViewerOf({ ...trace, kind: "text" }), null);
    assert.equal(traceOf({ attachments: [link("log", "https://ci.example.com"), trace] }), viewer);
    assert.equal(traceOf(undefined), null);
  });
});
