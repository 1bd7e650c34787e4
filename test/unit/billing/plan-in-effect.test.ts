import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "mocha";
import { EVENT_TYPES } from "../../../services/billing/payments/handle-payment-event.ts";
import {
  countingSubscription,
  isAlive,
  paidPlan,
  type Subscription,
  subscriptionStatusOf,
} from "../../../services/billing/payments/subscription.rule.ts";
import {
  graceAfter,
  keptAfter,
  planInEffect,
  type Subscribed,
} from "../../../services/billing/plan-in-effect.rule.ts";
import { planWith } from "../../../services/billing/plans.ts";
import { SUBSCRIPTION_STATUSES } from "../../../shared/contracts/billing/billing.ts";

const NOW = new Date("2026-11-21T12:00:00.000Z");
const later = (days: number) => new Date(NOW.getTime() + days * 24 * 3_600_000);
const PRICES = { pro: ["price_pro", "price_old"], business: ["price_business"] };

describe("The plan in effect", () => {
  const cases: Record<string, [Partial<Subscribed>, "free" | "pro"]> = {
    "of who subscribes": [{}, "pro"],
    "in a trial": [{ status: "trialing" }, "pro"],
    "of who subscribed to nothing": [{ status: "none" }, "free"],
    "after a failed payment": [{ status: "past_due", graceUntil: later(1) }, "pro"],
    "at the end of the grace": [{ status: "past_due", graceUntil: NOW }, "free"],
    "after a failed payment of which nobody knows since when": [{ status: "past_due" }, "free"],
    "of an unpaid subscription in the grace": [{ status: "unpaid", graceUntil: later(1) }, "free"],
    "before a cancellation takes effect": [{ cancelsAt: later(1) }, "pro"],
    "once it has taken effect": [{ cancelsAt: NOW }, "free"],
    "canceled while a payment had failed": [
      { status: "past_due", graceUntil: later(1), cancelsAt: later(-1) },
      "free",
    ],
  };
  for (const [name, [facts, plan]] of Object.entries(cases))
    it(`is ${plan} ${name}`, () => {
      const subscribed = {
        status: "active",
        subscribedPlan: "pro",
        cancelsAt: null,
        graceUntil: null,
      } as const;
      assert.equal(planInEffect({ ...subscribed, ...facts }, NOW), plan);
    });
});

describe("The grace period after a failed payment", () => {
  const failed = { status: "past_due", subscriptionId: "sub_1" } as const;
  it("starts with the first failure, and not again with the next", () => {
    const paid = { status: "active", subscriptionId: "sub_1", graceUntil: null } as const;
    assert.deepEqual(graceAfter(paid, failed, NOW), later(7));
    assert.deepEqual(graceAfter({ ...failed, graceUntil: later(-2) }, failed, NOW), later(-2));
  });
  it("starts again with a failure after a payment", () => {
    const paid = { status: "active", subscriptionId: "sub_1", graceUntil: later(-2) } as const;
    assert.deepEqual(graceAfter(paid, failed, NOW), later(7));
  });
  it("is separate for each subscription, and ends with a payment", () => {
    const other = { status: "past_due", subscriptionId: "sub_2" } as const;
    assert.deepEqual(graceAfter({ ...failed, graceUntil: later(-2) }, other, NOW), later(7));
    assert.equal(graceAfter({ ...failed, graceUntil: later(3) }, { ...failed, status: "active" }, NOW), null);
  });
});

describe("The retention after a change of plans", () => {
  const none = { keptDays: null, keptUntil: null };
  it("is the larger plan's for 30 days after a change to a smaller one", () => {
    assert.deepEqual(keptAfter("business", "pro", none, NOW), { keptDays: 90, keptUntil: later(30) });
    assert.deepEqual(keptAfter("pro", "free", { keptDays: 90, keptUntil: later(1) }, NOW), {
      keptDays: 90,
      keptUntil: later(30),
    });
    for (const keptUntil of [later(-1), NOW])
      assert.deepEqual(keptAfter("pro", "free", { keptDays: 90, keptUntil }, NOW).keptDays, 30);
  });
  it("stays after a change to a larger plan or the same one", () => {
    const before = { keptDays: 30, keptUntil: later(9) };
    for (const plan of ["pro", "business"] as const)
      assert.deepEqual(keptAfter("pro", plan, before, NOW), before);
  });
  it("is never shorter than the plan's own", () => {
    assert.equal(planWith({ plan: "business", keptDays: 30 }).retentionDays, 90);
    assert.equal(planWith({ plan: "free", keptDays: 30 }).retentionDays, 30);
    assert.equal(planWith(null).retentionDays, 7);
  });
});

describe("The subscription that counts", () => {
  const made = (id: string, priceId: string, facts: Partial<Subscription> = {}): Subscription => ({
    id,
    status: "active",
    createdAt: NOW,
    items: [{ id: "si", priceId }],
    renewsAt: null,
    cancelsAt: null,
    ...facts,
  });
  const counts = (...all: Subscription[]) =>
    [all, all.toReversed()].map(each => countingSubscription(each, PRICES)?.id);

  it("is none without subscriptions", () => assert.equal(countingSubscription([], PRICES), null));
  it("is an active one before an ended one, whatever the plans", () => {
    const over = made("over", "price_business", { status: "canceled", createdAt: later(1) });
    assert.deepEqual(counts(over, made("alive", "price_pro")), ["alive", "alive"]);
  });
  it("is one with a plan, then the larger plan, then the newest", () => {
    assert.deepEqual(counts(made("none", "price_x"), made("pro", "price_old")), ["pro", "pro"]);
    assert.deepEqual(counts(made("pro", "price_pro"), made("business", "price_business")), [
      "business",
      "business",
    ]);
    assert.deepEqual(counts(made("old", "price_pro"), made("new", "price_pro", { createdAt: later(1) })), [
      "new",
      "new",
    ]);
  });
  const ORDER = ["active", "trialing", "past_due", "unpaid", "paused", "incomplete", "canceled"] as const;
  for (const [index, status] of ORDER.slice(1).entries()) {
    const better = ORDER[index];
    it(`is one that is ${better} before a larger and newer one that is ${status}`, () => {
      const worse = made("worse", "price_business", { status, createdAt: later(1) });
      assert.deepEqual(counts(made("better", "price_pro", { status: better }), worse), ["better", "better"]);
    });
  }
  it("pays for the largest plan of its items", () => {
    const items = ["price_x", "price_business", "price_pro"].map(priceId => ({ id: "si", priceId }));
    assert.equal(paidPlan({ items }, PRICES), "business");
    assert.equal(paidPlan({ items: items.slice(0, 1) }, PRICES), null);
  });
});

describe("The status of a subscription", () => {
  it("is the provider's, if it is known", () => {
    assert.deepEqual(SUBSCRIPTION_STATUSES.map(subscriptionStatusOf), [...SUBSCRIPTION_STATUSES]);
  });
  it("is canceled if the first payment never came, and paused if it is unknown", () => {
    assert.equal(subscriptionStatusOf("incomplete_expired"), "canceled");
    assert.equal(subscriptionStatusOf("frozen"), "paused");
  });
  it("prevents another subscription until this one has ended", () => {
    const alive = ["trialing", "active", "past_due", "unpaid", "paused"];
    assert.deepEqual(SUBSCRIPTION_STATUSES.filter(isAlive), alive);
  });
});

describe("docs/guides/charge-for-plans.md", () => {
  it("lists exactly the handled events", () => {
    const docs = readFileSync(new URL("../../../docs/guides/charge-for-plans.md", import.meta.url), "utf8");
    const [, list = ""] = /The events:\n\n([\s\S]*?)\n\n/.exec(docs) ?? [];
    assert.deepEqual(
      [...list.matchAll(/`([\w.]+)`/g)].map(([, name]) => name).sort(),
      [...EVENT_TYPES].sort(),
    );
  });
});
