import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { reviewLink } from "../../../services/scm/checks/change-image.ts";
import { renderReport } from "../../../shared/report/render/render-report.ts";
import { report, screenshot } from "../../support/fixtures/report-sample.ts";

describe("The link to a screenshot's review", () => {
  const shot = screenshot({ id: "shot_1", route: "/a|b" });

  it("is next to the report, also below a path, and escapes the page's name", () => {
    assert.equal(
      reviewLink(shot, "https://vrs.example.com/shop/v1/reports/run_1?token=x"),
      '<a href="https://vrs.example.com/shop/review/run_1?shot=shot_1"><code>/a&#124;b</code></a>',
    );
  });

  it("is missing without a service's report", () => {
    assert.equal(reviewLink(shot, "https://example.com/report.html"), "<code>/a&#124;b</code>");
  });

  it("is in a report of a service, and not in a saved file", () => {
    const model = report([shot]);
    const of = (downloadUrl: string | null) => renderReport({ ...model, downloadUrl });
    assert.match(of("?download=1"), /href="\.\.\/\.\.\/review\/run_[^"]*\?shot=shot_1"/);
    assert.doesNotMatch(of(null), /\/review\//);
  });
});
