import assert from "node:assert/strict";
import { groupScreenshots } from "../../shared/report/group-screenshots.ts";
import type { ReportScreenshot } from "../../shared/report/report-model.ts";
import { verdictOf } from "../../shared/report/verdict.ts";
import { report, screenshot } from "../support/report-sample.ts";

const idsOf = (groups: ReturnType<typeof groupScreenshots<ReportScreenshot>>) =>
  groups.map(({ name, stacks }) => [name, stacks.map(stack => stack.map(shot => shot.id))]);

const approved = { state: "approved", approvals: 1, required: 1 } as const;

describe("groups of a report", () => {
  it("folds equal changes, the most frequent first, and keeps those without a fingerprint apart", () => {
    const groups = groupScreenshots([
      screenshot({ id: "alone", status: "changed", fingerprint: "x" }),
      screenshot({ id: "first", status: "changed", fingerprint: "header" }),
      screenshot({ id: "none1", status: "changed" }),
      screenshot({ id: "none2", status: "changed" }),
      screenshot({ id: "second", status: "changed", fingerprint: "header" }),
    ]);
    assert.deepEqual(idsOf(groups), [["review", [["first", "second"], ["alone"], ["none1"], ["none2"]]]]);
  });

  it("does not fold an approved change with a rejected one", () => {
    const groups = groupScreenshots([
      screenshot({ id: "yes", status: "changed", fingerprint: "f", review: approved }),
      screenshot({
        id: "no",
        status: "changed",
        fingerprint: "f",
        review: { ...approved, state: "rejected" },
      }),
      screenshot({ id: "open", status: "changed", fingerprint: "f" }),
    ]);
    assert.deepEqual(idsOf(groups), [
      ["review", [["open"]]],
      ["reviewed", [["yes"], ["no"]]],
    ]);
  });

  it("orders by what needs a person, and sets unstable pages apart from the unchanged", () => {
    const groups = groupScreenshots([
      screenshot({ id: "u" }),
      screenshot({ id: "m", stable: false }),
      screenshot({ id: "f", status: "failed" }),
      screenshot({ id: "r", status: "removed" }),
      screenshot({ id: "n", status: "new" }),
      screenshot({ id: "c", status: "changed" }),
    ]);
    const names = groups.map(group => group.name);
    assert.deepEqual(names, ["review", "new", "removed", "failed", "unstable", "unchanged"]);
  });
});

describe("verdict of a report", () => {
  const changed = screenshot({ id: "c", status: "changed" });
  const removed = screenshot({ id: "r", status: "removed" });
  const failed = screenshot({ id: "f", status: "failed" });

  it("counts what is left to review, not what was", () => {
    const decided = { ...changed, review: approved };
    assert.equal(
      verdictOf(report([changed, changed, removed])).title,
      "2 changes and 1 removed page to review",
    );
    assert.equal(verdictOf(report([changed, decided])).title, "1 change to review");
    assert.equal(verdictOf(report([decided])).title, "Every change was decided");
  });

  it("never says nothing changed without naming what could not be captured", () => {
    const verdict = verdictOf(report([screenshot({ id: "u" }), failed], { conclusion: "passed" }));
    assert.equal(verdict.title, "Nothing changed");
    assert.match(verdict.detail, /1 screenshot could not be captured/);
  });

  it("keeps the verdict open while a run goes on", () => {
    const running = { status: "rendering", conclusion: null, completedAt: null } as const;
    const verdict = verdictOf(report([changed, screenshot({ id: "p", status: "pending" })], running));
    assert.equal(verdict.title, "Rendering");
    assert.match(verdict.detail, /^1 of 2 screenshots done\. The verdict is open/);
  });

  it("gives the reason of a run that failed", () => {
    const verdict = verdictOf(
      report([], { status: "failed", conclusion: null, error: "The host is private." }),
    );
    assert.deepEqual(verdict, {
      standing: "failed",
      title: "The run failed",
      detail: "The host is private.",
    });
  });
});
