import { forEachIsolated } from "../../../shared/async.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { BillingContext } from "../billing-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { periodAt } from "./period.rule.ts";
import { markTold, type UntoldNotice } from "./usage.store.ts";

/**
 * Tells of allowances that are nearly or wholly used. Marked as told only when the others have it: asked twice they
 * note and mail it once, and while one of them is away it waits.
 */
export async function sendNotices(context: BillingContext, notices: UntoldNotice[]): Promise<void> {
  await forEachIsolated(
    notices,
    notice => tell(context, notice),
    (error, { teamId }) => context.warn(error, LOG_MESSAGES.noticeOfNotSent(teamId)),
  );
}

async function tell(context: BillingContext, notice: UntoldNotice): Promise<void> {
  const { periodStart, ...what } = notice;
  const told = { ...what, resetsAt: periodAt(periodStart).end.toISOString() };
  await call(context.bus, "teams.noteUsage", told);
  await call(context.bus, "alerts.mailUsage", told);
  await markTold(context.em(), notice);
}
