import assert from "node:assert/strict";
import {
  countingReviews,
  type ReviewEntry,
  reviewState,
} from "../../../services/runs/reviews/review-state.rule.ts";
import { countsAs } from "../../../shared/contracts/teams/caller.ts";

const approves = (reviewer: string): ReviewEntry => ({
  verdict: "approved",
  countsAs: reviewer,
  dismisses: null,
});
const rejects = (reviewer: string): ReviewEntry => ({
  verdict: "rejected",
  countsAs: reviewer,
  dismisses: null,
});
const dismisses = (reviewer: string, dismissed: string | null): ReviewEntry => ({
  verdict: "dismissed",
  countsAs: reviewer,
  dismisses: dismissed,
});

describe("reviewState", () => {
  const cases: [
    what: string,
    reviews: ReviewEntry[],
    required: number,
    state: string | null,
    approvals: number,
  ][] = [
    ["there is no review", [], 1, null, 0],
    ["one reviewer approves, and one is required", [approves("ada")], 1, "approved", 1],
    ["one reviewer approves, and two are required", [approves("ada")], 2, "pending", 1],
    ["one reviewer approves twice", [approves("ada"), approves("ada")], 2, "pending", 1],
    ["two reviewers approve", [approves("ada"), approves("bob")], 2, "approved", 2],
    ["more reviewers approve than required", [approves("ada"), approves("bob")], 1, "approved", 2],
    ["one reviewer rejects", [rejects("ada")], 1, "rejected", 0],
    ["one reviewer rejects after another approved", [approves("ada"), rejects("bob")], 1, "rejected", 1],
    ["one reviewer approves after another rejected", [rejects("bob"), approves("ada")], 1, "rejected", 1],
    ["the rejecting reviewer approves", [rejects("ada"), approves("ada")], 1, "approved", 1],
    ["the approving reviewer rejects", [approves("ada"), rejects("ada")], 1, "rejected", 0],
    ["the approval is dismissed", [approves("ada"), dismisses("ada", "ada")], 1, null, 0],
    [
      "one of two approvals is dismissed",
      [approves("ada"), approves("bob"), dismisses("bob", "bob")],
      2,
      "pending",
      1,
    ],
    [
      "the rejection is dismissed",
      [approves("ada"), rejects("bob"), dismisses("bob", "bob")],
      1,
      "approved",
      1,
    ],
    [
      "an admin dismisses all reviews",
      [approves("ada"), rejects("bob"), dismisses("cleo", null)],
      1,
      null,
      0,
    ],
    [
      "a reviewer without a review dismisses their own",
      [approves("ada"), dismisses("bob", "bob")],
      1,
      "approved",
      1,
    ],
    ["a reviewer approves after a dismissal", [dismisses("cleo", null), approves("ada")], 1, "approved", 1],
  ];
  for (const [what, reviews, required, state, approvals] of cases) {
    it(`returns ${state} when ${what}`, () => {
      assert.deepEqual(reviewState(reviews, required, false), { state, approvals });
    });
  }

  it("keeps a carried approval unless a reviewer rejects the screenshot", () => {
    assert.equal(reviewState([], 2, true).state, "approved");
    assert.equal(reviewState([approves("ada")], 2, true).state, "approved");
    assert.equal(reviewState([rejects("ada")], 2, true).state, "rejected");
    assert.equal(reviewState([rejects("ada"), dismisses("ada", "ada")], 2, true).state, "approved");
  });

  it("counts only each reviewer's latest review", () => {
    const [first, second, third] = [approves("ada"), rejects("bob"), approves("bob")];
    assert.deepEqual(countingReviews([first, second, third]), [first, third]);
  });
});

describe("countsAs", () => {
  const key = { kind: "key", id: "key_1", name: "ci" } as const;

  it("returns the user for the user's keys, and the key itself for other keys", () => {
    assert.equal(countsAs({ actor: { kind: "user", id: "user_ada", name: "ada" } }), "user_ada");
    assert.equal(countsAs({ actor: key, madeBy: "user_ada" }), "user_ada");
    assert.equal(countsAs({ actor: key }), "key_1");
  });
});
