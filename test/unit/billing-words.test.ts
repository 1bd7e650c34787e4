import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { billingInWords, isSubscribed } from "../../dashboard/settings/billing-words.ts";
import { type BillingView, SUBSCRIPTION_STATUSES } from "../../shared/contracts/billing.ts";

const NOTHING: BillingView = {
  enabled: true,
  plan: "free",
  subscribedPlan: null,
  status: "none",
  renewsAt: null,
  cancelsAt: null,
  paymentFailed: false,
  graceUntil: null,
  historyKeptUntil: null,
};
/** Late in the day of UTC, so that a reader's zone would make it the next. */
const LATE = "2026-11-30T23:30:00.000Z";

describe("How a team stands with the payment provider, in words", () => {
  it("is one sentence for who has subscribed to nothing", () => {
    assert.deepEqual(billingInWords(NOTHING), ["The team has subscribed to nothing."]);
  });

  it("names the day of UTC on which a subscription renews, or ends and what holds until then", () => {
    const paid = { ...NOTHING, status: "active", plan: "pro", subscribedPlan: "pro" } as const;
    assert.deepEqual(billingInWords({ ...paid, renewsAt: LATE }), [
      "The subscription is paid.",
      "It renews on November 30, 2026.",
    ]);
    assert.deepEqual(billingInWords({ ...paid, cancelsAt: LATE }), [
      "The subscription is paid.",
      "It was canceled, and ends on November 30, 2026; the plan stays until then.",
    ]);
  });

  it("promises no renewal of what was not paid, and says until when the plan stays and what to do", () => {
    const failed = { ...NOTHING, status: "past_due", paymentFailed: true, renewsAt: LATE } as const;
    assert.deepEqual(billingInWords({ ...failed, graceUntil: "2026-12-05T00:00:00.000Z" }), [
      "The latest payment failed.",
      "The plan stays until December 5, 2026.",
      "Put it right at the payment provider.",
    ]);
    assert.deepEqual(billingInWords(failed), [
      "The latest payment failed.",
      "Put it right at the payment provider.",
    ]);
  });

  it("says for how long the larger plan's history is kept", () => {
    const [, kept] = billingInWords({ ...NOTHING, status: "canceled", historyKeptUntil: LATE });
    assert.equal(kept, "Until November 30, 2026 runs are kept as the larger plan kept them.");
  });

  it("has a sentence for every status, and knows which of them leave something to manage", () => {
    for (const status of SUBSCRIPTION_STATUSES)
      assert.match(billingInWords({ ...NOTHING, status })[0] ?? "", /^The .*\.$/, status);
    const begun = SUBSCRIPTION_STATUSES.filter(status => isSubscribed({ status }));
    assert.deepEqual([...begun].sort(), ["active", "past_due", "paused", "trialing", "unpaid"]);
  });
});
