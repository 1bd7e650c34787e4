import type { BillingView, SubscriptionStatus } from "../../../shared/contracts/billing/billing.ts";
import type { PlanName, UsageHistory } from "../../../shared/contracts/billing/usage.ts";
import { dayInUtc, monthInUtc, number, plural } from "../format.ts";

export const planNames: Record<PlanName, string> = { free: "Free", pro: "Pro", business: "Business" };

/** Texts of the page about the plan, its usage, and the subscription. */
export const usageTexts = {
  title: "Plan and usage",
  about: "Plan: {plan}. Usage resets on {day} (UTC). Runs are stored for {days}.",
  day: dayInUtc,
  days: (days: number) => plural(days, "day"),
  limits: {
    runs: "Runs this month",
    screenshots: "Screenshots this month",
    members: "Members and invitations",
    monitors: "Monitors",
  },
  limit: (limit: number | null) => (limit === null ? "· no limit" : `of ${number(limit)}`),
  reached: {
    runs: "Limit reached. Upgrade the plan, or wait until the usage resets.",
    screenshots: "Limit reached. Upgrade the plan, or wait until the usage resets.",
    members: "Limit reached. Upgrade the plan, or remove members or invitations.",
    monitors: "Limit reached. Upgrade the plan, or delete monitors.",
  },

  history: "Usage by month",
  month: "Month",
  monthOf: monthInUtc,
  runs: "Runs",
  screenshots: "Screenshots",

  subscription: "Subscription",
  operatorTeam: "This team operates the service and isn't billed.",
  operatorPlan: "Operators set its plan with SERVICE_PLAN.",
  adminsManage: "Team admins manage the subscription.",
  checkoutCanceled: "Checkout canceled. You were not charged, and your plan is unchanged.",
  subscribed: (plan: PlanName) => `Thank you. Your team is now subscribed to ${planNames[plan]}.`,
  confirming: "Thank you. Your plan changes when the payment provider confirms. This page updates by itself.",
  subscribe: (plan: PlanName) => `Subscribe to ${planNames[plan]}`,
  change: (plan: PlanName) => `Change to ${planNames[plan]}`,
  manage: "Manage subscription",
} as const;

/** Says what to expect by the end of the month. */
export function forecastSentences({ runs, screenshots }: UsageHistory["forecast"]): string[] {
  if (!runs || !screenshots) return ["A forecast appears after the first three days of the month."];
  const reached = (what: string, at: string | null) =>
    at && `At this rate, you reach the limit of ${what} on ${dayInUtc(at)}.`;
  return [
    `Forecast for this month: ${plural(runs.used, "run")} and ${plural(screenshots.used, "screenshot")}.`,
    reached("runs", runs.limitReachedAt),
    reached("screenshots", screenshots.limitReachedAt),
  ].filter(sentence => typeof sentence === "string");
}

const STATUSES: Record<SubscriptionStatus, string> = {
  none: "The team has no subscription.",
  trialing: "The subscription is in its trial period.",
  active: "The subscription is active and paid.",
  past_due: "The latest payment failed.",
  unpaid: "The subscription is unpaid.",
  paused: "The subscription is paused.",
  incomplete: "The first payment is still pending.",
  canceled: "The subscription has ended.",
};

/** Describes the state of a subscription, one sentence per fact. */
export function subscriptionSentences(view: BillingView): string[] {
  const { status, renewsAt, cancelsAt, graceUntil, historyKeptUntil, paymentFailed } = view;
  const sentences = [
    STATUSES[status],
    renewsAt && !paymentFailed && `It renews on ${dayInUtc(renewsAt)}.`,
    cancelsAt && `It is canceled. Your plan stays active until ${dayInUtc(cancelsAt)}.`,
    paymentFailed && graceUntil && `Your plan stays active until ${dayInUtc(graceUntil)}.`,
    paymentFailed && "To fix the payment, manage your subscription.",
    historyKeptUntil && `Runs from the larger plan are stored until ${dayInUtc(historyKeptUntil)}.`,
  ];
  return sentences.filter(sentence => typeof sentence === "string");
}
