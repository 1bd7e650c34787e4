import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { isSubscribed } from "../../../dashboard/settings/account-rules.ts";
import { subscriptionSentences } from "../../../dashboard/texts/usage.ts";
import { type BillingView, SUBSCRIPTION_STATUSES } from "../../../shared/contracts/billing/billing.ts";

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
    assert.deepEqual(subscriptionSentences(NOTHING), ["The team has no subscription."]);
  });

  it("names the day of UTC on which a subscription renews, or ends and what holds until then", () => {
    const paid = { ...NOTHING, status: "active", plan: "pro", subscribedPlan: "pro" } as const;
    assert.deepEqual(subscriptionSentences({ ...paid, renewsAt: LATE }), [
      "The subscription is active and paid.",
      "It renews on November 30, 2026.",
    ]);
    assert.deepEqual(subscriptionSentences({ ...paid, cancelsAt: LATE }), [
      "The subscription is active and paid.",
      "It is canceled. Your plan stays active until November 30, 2026.",
    ]);
  });

  it("promises no renewal of what was not paid, and says until when the plan stays and what to do", () => {
    const failed = { ...NOTHING, status: "past_due", paymentFailed: true, renewsAt: LATE } as const;
    assert.deepEqual(subscriptionSentences({ ...failed, graceUntil: "2026-12-05T00:00:00.000Z" }), [
      "The latest payment failed.",
      "Your plan stays active until December 5, 2026.",
      "To fix the payment, manage your subscription.",
    ]);
    assert.deepEqual(subscriptionSentences(failed), [
      "The latest payment failed.",
      "To fix the payment, manage your subscription.",
    ]);
  });

  it("says for how long the larger plan's history is kept", () => {
    const [, kept] = subscriptionSentences({ ...NOTHING, status: "canceled", historyKeptUntil: LATE });
    assert.equal(kept, "Runs from the larger plan are stored until November 30, 2026.");
  });

  it("has a sentence for every status, and knows which of them leave something to manage", () => {
    for (const status of SUBSCRIPTION_STATUSES)
      assert.match(subscriptionSentences({ ...NOTHING, status })[0] ?? "", /^The .*\.$/, status);
    const begun = SUBSCRIPTION_STATUSES.filter(status => isSubscribed({ status }));
    assert.deepEqual([...begun].sort(), ["active", "past_due", "paused", "trialing", "unpaid"]);
  });
});
