import assert from "node:assert/strict";
import {
  countingReviews,
  type ReviewEntry,
  reviewState,
} from "../../../services/runs/reviews/review-state.rule.ts";
import { countsAs } from "../../../shared/contracts/teams/caller.ts";

const approves = (who: string): ReviewEntry => ({ verdict: "approved", countsAs: who, dismisses: null });
const rejects = (who: string): ReviewEntry => ({ verdict: "rejected", countsAs: who, dismisses: null });
const dismisses = (who: string, whose: string | null): ReviewEntry => ({
  verdict: "dismissed",
  countsAs: who,
  dismisses: whose,
});

describe("what a screenshot's reviews come to", () => {
  const cases: [
    what: string,
    said: ReviewEntry[],
    required: number,
    state: string | null,
    approvals: number,
  ][] = [
    ["nothing was said", [], 1, null, 0],
    ["one approves, and one is asked for", [approves("ada")], 1, "approved", 1],
    ["one approves, and two are asked for", [approves("ada")], 2, "pending", 1],
    ["the same one approves twice", [approves("ada"), approves("ada")], 2, "pending", 1],
    ["two approve", [approves("ada"), approves("bob")], 2, "approved", 2],
    ["more approve than are asked for", [approves("ada"), approves("bob")], 1, "approved", 2],
    ["one rejects", [rejects("ada")], 1, "rejected", 0],
    ["one rejects what another approves", [approves("ada"), rejects("bob")], 1, "rejected", 1],
    ["another approves what one rejects", [rejects("bob"), approves("ada")], 1, "rejected", 1],
    ["who rejected it approves it", [rejects("ada"), approves("ada")], 1, "approved", 1],
    ["who approved it rejects it", [approves("ada"), rejects("ada")], 1, "rejected", 0],
    ["the approval is taken back", [approves("ada"), dismisses("ada", "ada")], 1, null, 0],
    [
      "one of two approvals is taken back",
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
    ["an admin dismisses it all", [approves("ada"), rejects("bob"), dismisses("cleo", null)], 1, null, 0],
    ["one takes back what another said", [approves("ada"), dismisses("bob", "bob")], 1, "approved", 1],
    ["it is approved again after that", [dismisses("cleo", null), approves("ada")], 1, "approved", 1],
  ];
  for (const [what, said, required, state, approvals] of cases) {
    it(`is ${state} when ${what}`, () => {
      assert.deepEqual(reviewState(said, required, false), { state, approvals });
    });
  }

  it("is approved by an approval that carried, whoever says what, unless somebody rejects it", () => {
    assert.equal(reviewState([], 2, true).state, "approved");
    assert.equal(reviewState([approves("ada")], 2, true).state, "approved");
    assert.equal(reviewState([rejects("ada")], 2, true).state, "rejected");
    assert.equal(reviewState([rejects("ada"), dismisses("ada", "ada")], 2, true).state, "approved");
  });

  it("rests on each reviewer's last word", () => {
    const [first, second, third] = [approves("ada"), rejects("bob"), approves("bob")];
    assert.deepEqual(countingReviews([first, second, third]), [first, third]);
  });
});

describe("whom a reviewer counts as", () => {
  const key = { kind: "key", id: "key_1", name: "ci" } as const;

  it("is the person, also with a key of hers; a key that is nobody's is itself", () => {
    assert.equal(countsAs({ actor: { kind: "user", id: "user_ada", name: "ada" } }), "user_ada");
    assert.equal(countsAs({ actor: key, madeBy: "user_ada" }), "user_ada");
    assert.equal(countsAs({ actor: key }), "key_1");
  });
});
