import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { html, json } from "../../../shared/report/render/html.ts";
import { REPORT_CSP, renderReport } from "../../../shared/report/render/render-report.ts";
import type { ReportModel } from "../../../shared/report/report-model.ts";
import { report, screenshot } from "../../support/fixtures/report-sample.ts";

describe("the report of a null rerun", () => {
  it("lists false alarms, and nothing to review", () => {
    const changed = screenshot({ id: "a", status: "changed", diffRatio: 0.01, diffPixels: 9 });
    const page = renderReport(report([changed], { kind: "null-rerun" }));
    assert.match(page, /<h1>.*Null rerun: 1 false alarm<\/h1>/);
    assert.match(page, /<h2>False alarms <span class="count">1</);
    assert.doesNotMatch(page, /Needs review/);
  });
});

describe("the HTML of a report", () => {
  it("has escaped texts and attributes, and unchanged markup", () => {
    const hostile = `"'><script>&`;
    const page = html`<a title="${hostile}">${html`<b>${hostile}</b>`}${[1, null, "<"]}</a>`;
    const escaped = "&quot;&#39;&gt;&lt;script&gt;&amp;";
    assert.equal(page.markup, `<a title="${escaped}"><b>${escaped}</b>1&lt;</a>`);
  });

  it("isolates names that reverse text", () => {
    const name = "/a\u202egnp.exe\u2066";
    assert.equal(html`<b>${name}</b>`.markup, "<b>/a\ufffdgnp.exe\ufffd</b>");
    assert.equal(
      html`<img src="${"data:image/png;base64,AA=="}">`.markup,
      '<img src="data:image/png;base64,AA==">',
    );
  });

  it("has JSON that can't end its element and parses to the same value", () => {
    const value = { route: "</script><!--<script>\u2028" };
    assert.ok(!json(value).markup.includes("<"));
    assert.deepEqual(JSON.parse(json(value).markup), value);
  });
});

describe("a rendered report", () => {
  const image = "data:image/png;base64,c29tZXRoaW5n";
  const shot = screenshot({ id: "s", images: { current: image, baseline: null, diff: null } });

  it("allows exactly its own styles and scripts, by hash", () => {
    const page = renderReport(report([shot]));
    const inlined = [...page.matchAll(/<(?:script|style)>(.*?)<\/(?:script|style)>/gs)].map(
      match => match[1] ?? "",
    );
    const hashes = inlined.map(text => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
    assert.equal(hashes.length, 3);
    assert.deepEqual([...REPORT_CSP.matchAll(/'sha256-[^']*'/g)].map(String).sort(), hashes.sort());
    assert.ok(!REPORT_CSP.includes("unsafe"));
  });

  it("has the policy in the page, except for parts that only a header can state", () => {
    const page = renderReport(report([shot]));
    const meta = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll("&#39;", "'");
    assert.equal(REPORT_CSP, `${meta}; frame-ancestors 'none'`);
  });

  it("shows the page at its failure below the error", () => {
    const images = { current: null, baseline: null, diff: null, failure: image };
    const page = renderReport(
      report([screenshot({ id: "f", status: "failed", error: "It failed.", images })]),
    );
    assert.match(page, /It failed\.<\/li><li class="failure"><img src="data:image\/png;base64,c29tZXRoaW5n"/);
  });

  it("holds each image once", () => {
    assert.equal(renderReport(report([shot])).split(image).length - 1, 1);
  });

  it("folds minor changes in a group before the unchanged ones, with their size", () => {
    const near = screenshot({ id: "n", minor: true, diffPixels: 9, diffRatio: 0.004 });
    const changed = screenshot({ id: "c", status: "changed", diffPixels: 9, diffRatio: 0.4 });
    const page = renderReport(report([changed, near, screenshot({ id: "u" })]));
    assert.match(
      page,
      /<details class="group"><summary><h2>Minor changes <span class="count">1<[\s\S]*>0\.4%, 9 pixels<[\s\S]*<h2>Unchanged <span class="count">1</,
    );
    assert.match(page, /data-filter="standing" value="minor">.*>Minor change<\/span> 1<\/button>/);
    assert.match(page, /Needs review <span class="count">1</);
    assert.doesNotMatch(renderReport(report([shot])), /Minor changes/);
  });

  it("shows on a minor change its page's flake score and what ignore regions hid", () => {
    const ignored = { pixels: 34, regions: [{ x: 0, y: 0, width: 9, height: 9, pixels: 34 }] };
    const page = renderReport(
      report([
        screenshot({ id: "n", minor: true, diffPixels: 9, diffRatio: 0.004, flakeScore: 0.12, ignored }),
      ]),
    );
    assert.match(page, /data-standing="minor">[\s\S]*>0\.4%, 9 pixels<[\s\S]*class="flaky"[^>]*>flaky 12%</);
    assert.match(page, /<li>1 ignore region hides 34 changed pixels\.</);
  });

  it("names its run or the program, and never one for the other", () => {
    const factsOf = (run: Partial<ReportModel["run"]>) =>
      [...renderReport(report([shot], run)).matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(
        ([, name, value = ""]) => `${name}: ${value.replace(/<[^>]*>/g, "")}`,
      );
    const facts = factsOf({ id: "run_1" });
    assert.ok(
      facts.includes("Run: run_1") && facts.includes("Site: https://pr-482.preview.acme.test"),
      `${facts}`,
    );
    assert.ok(!facts.some(fact => fact.startsWith("Created with")));
    const local = factsOf({ id: null, madeWith: "vrs 0.1.0" });
    assert.ok(local.includes("Created with: vrs 0.1.0"), `${local}`);
    assert.ok(!local.some(fact => fact.startsWith("Run")));
  });

  it("links only to web addresses", () => {
    const page = renderReport(report([], { url: "javascript:alert(1)" }));
    assert.ok(page.includes("javascript:alert(1)"));
    assert.ok(!/href="javascript:/.test(page));
  });
});
