import assert from "node:assert/strict";
import {
  conclude,
  concludeReview,
  NO_TALLY,
  type Tally,
} from "../../../services/runs/capture/conclude.rule.ts";
import {
  isApprovable,
  isMinorChange,
  needsReview,
  tallyReviews,
} from "../../../services/runs/reviews/reviewable.rule.ts";

const tally = (counts: Partial<Tally>): Tally => ({ ...NO_TALLY, ...counts });

describe("conclude", () => {
  const outcomes: [counts: Partial<Tally>, conclusion: string][] = [
    [{}, "passed"],
    [{ unchanged: 3 }, "passed"],
    [{ unchanged: 3, minor: 2 }, "passed"],
    [{ unchanged: 3, minor: 3, new: 1 }, "new"],
    [{ new: 1 }, "new"],
    [{ unchanged: 3, new: 1 }, "new"],
    [{ unchanged: 3, changed: 1 }, "changed"],
    [{ new: 3, changed: 1 }, "changed"],
    [{ unchanged: 3, removed: 1 }, "changed"],
    [{ removed: 1 }, "changed"],
    [{ unchanged: 3, failed: 1 }, "changed"],
    [{ new: 3, failed: 1 }, "changed"],
    [{ unchanged: 1, changed: 1, failed: 1 }, "changed"],
    [{ changed: 1, new: 1, failed: 1 }, "changed"],
    [{ unchanged: 3, changed: 2, carried: 2 }, "approved"],
    [{ changed: 2, carried: 1 }, "changed"],
    [{ changed: 2, carried: 2, new: 1 }, "new"],
    [{ changed: 2, carried: 2, removed: 1 }, "changed"],
    [{ changed: 2, carried: 2, failed: 1 }, "changed"],
  ];
  for (const [counts, conclusion] of outcomes) {
    it(`returns ${conclusion} for ${JSON.stringify(counts)}`, () => {
      assert.deepEqual(conclude(tally(counts)), { status: "completed", conclusion, error: null });
    });
  }

  it("fails a run without rendered pages", () => {
    for (const counts of [{ failed: 1 }, { failed: 2, removed: 1 }]) {
      const outcome = conclude(tally(counts));
      assert.deepEqual([outcome?.status, outcome?.conclusion], ["failed", null]);
      assert.match(outcome?.error ?? "", /could be rendered/);
    }
  });

  it("returns null while a screenshot is pending", () => {
    for (const counts of [{}, { changed: 9 }, { failed: 9 }]) {
      assert.equal(conclude(tally({ ...counts, pending: 1 })), null);
    }
  });
});

describe("concludeReview", () => {
  const changed = tally({ unchanged: 1, changed: 2 });
  const fresh = tally({ new: 2 });
  const nothing = { undecided: 0, approved: 0, rejected: 0, carried: 0 };

  it("approves the run once every screenshot that needs review is approved", () => {
    assert.equal(concludeReview(changed, { ...nothing, approved: 2 }), "approved");
    assert.equal(concludeReview(changed, { ...nothing, approved: 2, carried: 1 }), "approved");
  });

  it("rejects the run as long as one screenshot is rejected", () => {
    assert.equal(concludeReview(changed, { ...nothing, undecided: 1, rejected: 1 }), "rejected");
    assert.equal(concludeReview(changed, { ...nothing, approved: 1, rejected: 1 }), "rejected");
    assert.equal(concludeReview(changed, { ...nothing, approved: 2 }), "approved");
  });

  it("keeps the unreviewed conclusion while a screenshot is undecided", () => {
    assert.equal(concludeReview(changed, { ...nothing, undecided: 1, approved: 1 }), "changed");
    assert.equal(concludeReview(fresh, { ...nothing, undecided: 1, approved: 1 }), "new");
    assert.equal(concludeReview(fresh, { ...nothing, undecided: 2 }), "new");
    const mixed = tally({ changed: 1, carried: 1, new: 1 });
    assert.equal(concludeReview(mixed, { ...nothing, undecided: 1, approved: 1, carried: 1 }), "new");
  });

  it("keeps a passed run passed", () => {
    assert.equal(concludeReview(tally({ unchanged: 2 }), nothing), "passed");
  });

  it("counts carried approvals, but not as a review of a failed page", () => {
    const carried = { ...nothing, approved: 1, carried: 1 };
    assert.equal(concludeReview(tally({ changed: 1 }), carried), "approved");
    assert.equal(concludeReview(tally({ changed: 1, failed: 1 }), carried), "changed");
    assert.equal(concludeReview(tally({ changed: 1, failed: 1 }), { ...carried, carried: 0 }), "approved");
  });
});

describe("isMinorChange", () => {
  const NOTHING = { review: null, carriedRunId: null } as const;
  const minor = { status: "unchanged", diffPixels: 7, faintPixels: 0, ...NOTHING } as const;
  const changed = { status: "changed", diffPixels: 900, faintPixels: 0, ...NOTHING } as const;

  it("is true for any differing pixels within the threshold", () => {
    const table = [
      ["unchanged", 1, 0, true],
      ["unchanged", 0, 1, true],
      ["unchanged", 0, 0, false],
      ["unchanged", null, 0, false],
      ["changed", 9, 0, false],
      ["new", null, 0, false],
      ["pending", null, 0, false],
    ] as const;
    for (const [status, diffPixels, faintPixels, expected] of table)
      assert.equal(
        isMinorChange({ status, diffPixels, faintPixels }),
        expected,
        `${status} ${diffPixels} ${faintPixels}`,
      );
  });

  it("makes a screenshot approvable without a need for review", () => {
    assert.deepEqual([isApprovable(minor), needsReview(minor)], [true, false]);
    assert.deepEqual([isApprovable(changed), needsReview(changed)], [true, true]);
    assert.equal(isApprovable({ status: "unchanged", diffPixels: 0, faintPixels: 0 }), false);
    assert.equal(isApprovable({ status: "failed", diffPixels: null, faintPixels: 0 }), false);
  });

  it("separates screenshots that need review from all others", () => {
    for (const status of ["changed", "new", "removed"] as const)
      assert.equal(needsReview({ status, diffPixels: null, faintPixels: 0 }), true, status);
    for (const status of ["unchanged", "failed", "pending"] as const)
      assert.equal(needsReview({ status, diffPixels: null, faintPixels: 0 }), false, status);
  });

  const approved = { review: "approved" } as const;
  const carried = { review: "approved", carriedRunId: "run_1" } as const;
  const failed = { status: "failed", diffPixels: null, faintPixels: 0, ...NOTHING } as const;
  it("leaves every other screenshot in the counts by review", () => {
    const screenshots: Parameters<typeof tallyReviews>[0] = [
      ...[minor, failed, changed, { ...changed, status: "new" as const }],
      ...[
        { ...changed, review: "pending" as const },
        { ...failed, review: "pending" as const },
      ],
      ...[
        { ...failed, ...approved },
        { ...changed, ...approved },
        { ...changed, ...carried },
      ],
      { ...changed, review: "rejected" },
    ];
    assert.deepEqual(tallyReviews(screenshots), { undecided: 4, approved: 3, carried: 1, rejected: 1 });
  });

  const cases: [string, Parameters<typeof tallyReviews>[0], string][] = [
    ["passed without a review", [minor], "passed"],
    ["passed once it is approved", [{ ...minor, ...approved }], "passed"],
    ["passed while it is pending", [{ ...minor, review: "pending" }], "passed"],
    ["passed with a carried approval", [{ ...minor, ...carried }], "passed"],
    ["rejected once it is rejected", [{ ...minor, review: "rejected" }], "rejected"],
    ["approved without it", [minor, { ...changed, ...approved }], "approved"],
    ["changed if only the minor change is approved", [{ ...minor, ...approved }, changed], "changed"],
    ["changed if a page failed", [{ ...minor, ...approved }, failed], "changed"],
    [
      "rejected despite approvals of all others",
      [
        { ...minor, review: "rejected" },
        { ...changed, ...approved },
      ],
      "rejected",
    ],
  ];
  for (const [title, screenshots, conclusion] of cases)
    it(`with a minor change leaves a run ${title}`, () => {
      const count = (status: string) => screenshots.filter(each => each.status === status).length;
      const counts = {
        ...{ unchanged: count("unchanged"), minor: count("unchanged") },
        ...{ changed: count("changed"), failed: count("failed") },
      };
      assert.equal(concludeReview(tally(counts), tallyReviews(screenshots)), conclusion);
    });
});
