import assert from "node:assert/strict";
import {
  type Confirmation,
  confirmProblem,
  type PageProblem,
} from "../../../shared/alerts/confirm-problem.rule.ts";

describe("confirmProblem", () => {
  const cases: [problems: (PageProblem | null)[], attempts: number, confirmation: Confirmation][] = [
    [[], 1, "confirmed"],
    [[null], 1, "confirmed"],
    [["changed"], 1, "retry"],
    [["changed", null], 2, "confirmed"],
    [[null, "changed"], 2, "retry"],
    [["changed", "changed"], 2, "confirmed"],
    [["uncaptured", "uncaptured"], 2, "confirmed"],
    [["changed", "down"], 2, "retry"],
    [["changed", "down", "changed"], 3, "confirmed"],
    [["changed", "down", "down"], 3, "confirmed"],
    [["changed", "down", "uncaptured"], 3, "unconfirmed"],
    [["changed", "down", null], 3, "confirmed"],
    [["down"], 3, "unconfirmed"],
    [["changed", "down"], 3, "unconfirmed"],
  ];
  for (const [problems, attempts, confirmation] of cases)
    it(`returns ${confirmation} for ${JSON.stringify(problems)} in ${attempts} attempts`, () => {
      assert.equal(confirmProblem(problems, attempts), confirmation);
    });
});
