import assert from "node:assert/strict";
import { displayStatusOf } from "../../../shared/report/display-status.ts";
import { renderReport } from "../../../shared/report/render/render-report.ts";
import { renderDecision, renderReviews } from "../../../shared/report/render/render-reviews.ts";
import type { ReportScreenshot } from "../../../shared/report/report-model.ts";
import { makeReview, report, screenshot } from "../../support/fixtures/report-sample.ts";

const state = (name: "pending" | "approved" | "rejected", approvals: number, required = 2) => ({
  review: { state: name, approvals, required },
});
const changed = (own: Partial<ReportScreenshot>) => screenshot({ id: "s", status: "changed", ...own });
const words = (markup: string | undefined) => markup?.replace(/<[^>]*>/g, "");
const decision = (own: Partial<ReportScreenshot>) => words(renderDecision(changed(own))?.markup);

const [ada, bob] = [makeReview("ada", "approved", "09:41"), makeReview("bob", "approved", "10:02")];
const carried = { runId: "run_1", by: ["ada", "bob", "cleo"], at: "2026-11-19T16:20:00.000Z" };

describe("the reviews in a report", () => {
  it("are empty without a current review", () => {
    assert.equal(decision({}), undefined);
    assert.equal(decision({ reviews: [{ ...ada, stands: false }] }), undefined);
    assert.equal(renderReviews(changed({})), null);
  });

  it("have the number of approvals, the reviewers, and the missing approvals", () => {
    assert.equal(
      decision({ ...state("pending", 1, 3), reviews: [ada] }),
      "1 of 3 approvals, by ada. 2 more approvals needed.",
    );
  });

  it("have the reviewer, the time, and the reason of a rejection", () => {
    const approved = { ...state("approved", 2), reviews: [ada, bob] };
    assert.equal(decision(approved), "Approved by ada and bob, November 20, 2026 at 10:02 AM UTC");
    const reason = "Broken <b>.";
    const no = makeReview("bob", "rejected", "10:03", { reason });
    const rejected = { ...state("rejected", 1), reviews: [ada, no] };
    assert.equal(decision(rejected), "Rejected by bob, November 20, 2026 at 10:03 AM UTC: Broken &lt;b&gt;.");
  });

  it("have the source of a carried approval, until a rejection", () => {
    const own = { ...state("approved", 0), carried };
    const line =
      "Carried approval: ada, bob, and 1 other approved the same change in run_1, November 19, 2026 at 4:20 PM UTC";
    assert.equal(decision(own), line);
    assert.equal(displayStatusOf(changed(own)), "carried");
    assert.equal(displayStatusOf(changed({ ...own, ...state("rejected", 0) })), "rejected");
    assert.equal(displayStatusOf(changed({ ...own, ...state("pending", 1) })), "changed");
  });

  it("include those that no longer count", () => {
    const reviews = [
      { ...ada, stands: false },
      makeReview("dora", "dismissed", "10:09", { reason: "A slip" }),
    ];
    assert.equal(
      words(renderReviews(changed({ reviews }))?.markup),
      "ada approved, November 20, 2026 at 9:41 AM UTC (no longer counts)dora dismissed the earlier reviews, November 20, 2026 at 10:09 AM UTC: A slip",
    );
  });

  it("are grouped, with a name and an icon for carried approvals", () => {
    const own = { ...state("approved", 0), carried };
    const page = renderReport(report([changed(own), changed({ id: "open" })], { conclusion: "changed" }));
    assert.match(page, /1 changed screenshot to review/);
    assert.match(page, /<use href="#icon-carried"\/><\/svg>Carried approval<\/span> <span class="viewport">/);
    const done = renderReport(report([changed(own)], { conclusion: "approved" }));
    assert.match(done, /Approved earlier/);
    assert.match(done, /1 change has a carried approval from this pull request or branch/);
  });
});
