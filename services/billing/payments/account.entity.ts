import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { SUBSCRIPTION_STATUSES } from "../../../shared/contracts/billing/billing.ts";
import { PLAN_NAMES } from "../../../shared/contracts/billing/usage.ts";

/** A team at the payment provider, and the plan that it has by that. */
export const AccountEntity = defineEntity({
  name: "Account",
  tableName: "account",
  properties: {
    teamId: p.string().primary(),
    customerId: p.string().strictNullable(),
    /** How many customers were made for it: one was deleted before the next. */
    customers: p.integer(),
    /** The latest checkout, which may be open still. */
    checkoutId: p.string().strictNullable(),
    checkouts: p.integer(),
    /** The ticket that was given out last, and that of the reading which is written here. */
    asked: p.integer(),
    answered: p.integer(),
    syncedAt: p.datetime().strictNullable(),
    subscriptionId: p.string().strictNullable(),
    status: p.enum(SUBSCRIPTION_STATUSES),
    subscribedPlan: p.enum(PLAN_NAMES),
    renewsAt: p.datetime().strictNullable(),
    cancelsAt: p.datetime().strictNullable(),
    graceUntil: p.datetime().strictNullable(),
    /** In effect. */
    plan: p.enum(PLAN_NAMES),
    keptDays: p.integer().strictNullable(),
    keptUntil: p.datetime().strictNullable(),
    /** When its team was deleted for good. */
    goneAt: p.datetime().strictNullable(),
  },
});

export type Account = InferEntity<typeof AccountEntity>;
