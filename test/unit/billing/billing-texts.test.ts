import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { isSubscribed } from "../../../dashboard/settings/account-rules.ts";
import { subscriptionSentences } from "../../../dashboard/texts/settings/usage.ts";
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
/** Late in the UTC day, so that a local time zone would show the next day. */
const LATE = "2026-11-30T23:30:00.000Z";

describe("The description of a subscription", () => {
  it("is one sentence without a subscription", () => {
    assert.deepEqual(subscriptionSentences(NOTHING), ["The team has no subscription."]);
  });

  it("has the UTC day on which a subscription renews or ends, and what applies until then", () => {
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

  it("promises no renewal after a failed payment, and says until when the plan stays and what to do", () => {
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

  it("says how long the larger plan's history is kept", () => {
    const [, kept] = subscriptionSentences({ ...NOTHING, status: "canceled", historyKeptUntil: LATE });
    assert.equal(kept, "Runs from the larger plan are stored until November 30, 2026.");
  });

  it("has a sentence for every status, and knows which ones can be managed", () => {
    for (const status of SUBSCRIPTION_STATUSES)
      assert.match(subscriptionSentences({ ...NOTHING, status })[0] ?? "", /^The .*\.$/, status);
    const begun = SUBSCRIPTION_STATUSES.filter(status => isSubscribed({ status }));
    assert.deepEqual([...begun].sort(), ["active", "past_due", "paused", "trialing", "unpaid"]);
  });
});
