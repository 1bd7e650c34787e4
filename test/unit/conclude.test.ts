import assert from "node:assert/strict";
import { conclude, concludeReview, type Tally } from "../../services/runs/conclude.ts";

const NONE: Tally = { pending: 0, unchanged: 0, changed: 0, new: 0, removed: 0, failed: 0, carried: 0 };
const tally = (counts: Partial<Tally>): Tally => ({ ...NONE, ...counts });

describe("a run's outcome", () => {
  const outcomes: [counts: Partial<Tally>, conclusion: string][] = [
    [{}, "passed"],
    [{ unchanged: 3 }, "passed"],
    [{ new: 1 }, "new"],
    [{ unchanged: 3, new: 1 }, "new"],
    [{ unchanged: 3, changed: 1 }, "changed"],
    [{ new: 3, changed: 1 }, "changed"],
    [{ unchanged: 3, removed: 1 }, "changed"],
    [{ removed: 1 }, "changed"],
    [{ unchanged: 3, failed: 1 }, "changed"],
    [{ new: 3, failed: 1 }, "changed"],
    [{ unchanged: 3, changed: 2, carried: 2 }, "approved"],
    [{ changed: 2, carried: 1 }, "changed"],
    [{ changed: 2, carried: 2, new: 1 }, "new"],
    [{ changed: 2, carried: 2, removed: 1 }, "changed"],
    [{ changed: 2, carried: 2, failed: 1 }, "changed"],
  ];
  for (const [counts, conclusion] of outcomes) {
    it(`is ${conclusion} for ${JSON.stringify(counts)}`, () => {
      assert.deepEqual(conclude(tally(counts)), { status: "completed", conclusion, error: null });
    });
  }

  it("is failed when nothing could be rendered", () => {
    for (const counts of [{ failed: 1 }, { failed: 2, removed: 1 }]) {
      const outcome = conclude(tally(counts));
      assert.deepEqual([outcome?.status, outcome?.conclusion], ["failed", null]);
      assert.match(outcome?.error ?? "", /could be rendered/);
    }
  });

  it("is open while one screenshot is pending, whatever the others are", () => {
    for (const counts of [{}, { changed: 9 }, { failed: 9 }]) {
      assert.equal(conclude(tally({ ...counts, pending: 1 })), null);
    }
  });
});

describe("a run's conclusion after a review", () => {
  const changed = tally({ unchanged: 1, changed: 2 });
  const fresh = tally({ new: 2 });
  const nothing = { undecided: 0, approved: 0, rejected: 0, carried: 0 };

  it("is approved once every screenshot in question is", () => {
    assert.equal(concludeReview(changed, { ...nothing, approved: 2 }), "approved");
    assert.equal(concludeReview(changed, { ...nothing, approved: 2, carried: 1 }), "approved");
  });

  it("is rejected as soon as one is, and not before all of them are mended", () => {
    assert.equal(concludeReview(changed, { ...nothing, undecided: 1, rejected: 1 }), "rejected");
    assert.equal(concludeReview(changed, { ...nothing, approved: 1, rejected: 1 }), "rejected");
    assert.equal(concludeReview(changed, { ...nothing, approved: 2 }), "approved");
  });

  it("is what the screenshots say while one is undecided", () => {
    assert.equal(concludeReview(changed, { ...nothing, undecided: 1, approved: 1 }), "changed");
    assert.equal(concludeReview(fresh, { ...nothing, undecided: 1, approved: 1 }), "new");
    assert.equal(concludeReview(fresh, { ...nothing, undecided: 2 }), "new");
    const mixed = tally({ changed: 1, carried: 1, new: 1 });
    assert.equal(concludeReview(mixed, { ...nothing, undecided: 1, approved: 1, carried: 1 }), "new");
  });

  it("stays passed when there was nothing to decide", () => {
    assert.equal(concludeReview(tally({ unchanged: 2 }), nothing), "passed");
  });

  it("takes what carried for approved, but not for somebody who saw that a page failed", () => {
    const carried = { ...nothing, approved: 1, carried: 1 };
    assert.equal(concludeReview(tally({ changed: 1 }), carried), "approved");
    assert.equal(concludeReview(tally({ changed: 1, failed: 1 }), carried), "changed");
    assert.equal(concludeReview(tally({ changed: 1, failed: 1 }), { ...carried, carried: 0 }), "approved");
  });
});
