import assert from "node:assert/strict";
import { type Diagnostics, NO_DIAGNOSTICS } from "../../../shared/contracts/capture/diagnostics.ts";
import { describeDiagnostics, listDiagnostics } from "../../../shared/report/describe-diagnostics.ts";
import { renderCard } from "../../../shared/report/render/render-card.ts";
import { diagnosticsAt } from "../../support/fixtures/diagnostics.ts";
import { screenshot } from "../../support/fixtures/report-sample.ts";

const diagnostics = diagnosticsAt("https://a.test");
const marked: Diagnostics = {
  ...diagnostics,
  pageErrors: diagnostics.pageErrors.map(error => ({ ...error, isNew: true })),
};

describe("diagnostics in a report", () => {
  it("are counted by kind, with the dropped and the new ones", () => {
    assert.equal(
      describeDiagnostics(marked),
      "1 page error, 1 console error, 1 console warning, 3 more console messages, 1 failed request (1 new)",
    );
    const failedRequests = [...diagnostics.failedRequests, ...diagnostics.failedRequests];
    assert.equal(describeDiagnostics({ ...NO_DIAGNOSTICS, failedRequests }), "2 failed requests");
  });

  it("are listed with their place or outcome", () => {
    assert.deepEqual(
      listDiagnostics(diagnostics).map(({ kind, text, detail }) => [kind, text, detail]),
      [
        ["Page error", "TypeError: cart is null", "show (https://a.test/app.js:40:7)"],
        ["Console error", "GET https://a.test/api/cart failed", "https://a.test/app.js:12"],
        ["Console warning", "Slow network", null],
        ["Failed request", "GET https://a.test/api/cart?token=abc", "fetch, 503"],
      ],
    );
  });

  it("are a remark of their card, with escaped texts", () => {
    const consoleMessages = [
      { level: "error", text: "<b>no</b>", url: null, line: null, times: 3, isNew: true } as const,
    ];
    const { markup } = renderCard(
      screenshot({ id: "shot_1", diagnostics: { ...NO_DIAGNOSTICS, consoleMessages } }),
      0,
    );
    assert.match(markup, /<summary>1 console error \(1 new\)<\/summary>/);
    assert.match(markup, /Console error · 3 times.*new<\/strong> <code>&lt;b&gt;no&lt;\/b&gt;<\/code>/);
    assert.ok(!renderCard(screenshot({ id: "shot_2" }), 0).markup.includes("<details"));
  });
});
