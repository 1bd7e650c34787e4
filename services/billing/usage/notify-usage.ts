import { forEachIsolated } from "../../../shared/async.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { BillingContext } from "../billing-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { periodAt } from "./period.rule.ts";
import { markNoticeSent, type UnsentNotice } from "./usage.store.ts";

/**
 * Sends notices of allowances that are almost or fully used. A notice counts as sent after both receivers have it. Each
 * of them handles a repeated notice once.
 */
export async function sendNotices(context: BillingContext, notices: UnsentNotice[]): Promise<void> {
  await forEachIsolated(
    notices,
    notice => sendNotice(context, notice),
    (error, { teamId }) => context.warn(error, LOG_MESSAGES.noticeOfNotSent(teamId)),
  );
}

async function sendNotice(context: BillingContext, notice: UnsentNotice): Promise<void> {
  const { periodStart, ...what } = notice;
  const body = { ...what, resetsAt: periodAt(periodStart).end.toISOString() };
  await call(context.bus, "teams.noteUsage", body);
  await call(context.bus, "alerts.mailUsage", body);
  await markNoticeSent(context.em(), notice);
}
