import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { SUBSCRIPTION_STATUSES } from "../../../shared/contracts/billing/billing.ts";
import { PLAN_NAMES } from "../../../shared/contracts/billing/usage.ts";

/** A team at the payment provider, and its plan. */
export const AccountEntity = defineEntity({
  name: "Account",
  tableName: "account",
  properties: {
    teamId: p.string().primary(),
    customerId: p.string().strictNullable(),
    /** The number of customers that were created for it. Each was deleted before the next. */
    customers: p.integer(),
    /** The latest checkout, which may still be open. */
    checkoutId: p.string().strictNullable(),
    checkouts: p.integer(),
    /** The ticket that was drawn last, and the ticket of the reading in this row. */
    lastTicket: p.integer(),
    appliedTicket: p.integer(),
    syncedAt: p.datetime().strictNullable(),
    subscriptionId: p.string().strictNullable(),
    status: p.enum(SUBSCRIPTION_STATUSES),
    subscribedPlan: p.enum(PLAN_NAMES),
    renewsAt: p.datetime().strictNullable(),
    cancelsAt: p.datetime().strictNullable(),
    graceUntil: p.datetime().strictNullable(),
    /** The current plan. */
    plan: p.enum(PLAN_NAMES),
    keptDays: p.integer().strictNullable(),
    keptUntil: p.datetime().strictNullable(),
    /** The time when its team was deleted for good. */
    goneAt: p.datetime().strictNullable(),
  },
});

export type Account = InferEntity<typeof AccountEntity>;
