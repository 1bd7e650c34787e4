import { databaseTime } from "../../../mixins/database.ts";
import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { BillingContext } from "../billing-context.ts";
import { BILLING_ERRORS, LOG_MESSAGES } from "../texts.ts";
import { type Amount, type Notice, noticesOf, shortageInWords, shortageOf } from "./allowance.rule.ts";
import { sendNotices } from "./notify-usage.ts";
import { type Period, periodAt } from "./period.rule.ts";
import { addNotices, type CountedRun, countRun, findUsage } from "./usage.store.ts";

/** While others give back and take, the remaining allowance may change between two attempts. */
const MAX_ATTEMPTS = 5;
const NOTICE_NOT_SENT = LOG_MESSAGES.noticeNotSent;

/**
 * Counts a run and its screenshots against the allowances of its team's plan, once for any number of calls.
 * @throws ServiceError plan_limit_exceeded if too little is left; nothing is counted then
 */
export async function takeAllowance(
  context: BillingContext,
  { runId, teamId, screenshots }: { runId: string; teamId: string; screenshots: number },
): Promise<void> {
  const em = context.em();
  const [plan, now] = await Promise.all([context.planOf(teamId), databaseTime(em)]);
  const period = periodAt(now);
  const run = { runId, teamId, periodStart: period.start, screenshots };
  const used = await countOrRefuse(context, run, plan, period);
  if (used === "counted") return;
  const notices = noticesOf(plan, used);
  if (notices.length > 0)
    await addAndSendNotices(context, run, notices).catch(error => context.warn(error, NOTICE_NOT_SENT));
}

async function addAndSendNotices(context: BillingContext, run: CountedRun, notices: Notice[]): Promise<void> {
  const unsent = await addNotices(context.em(), run, notices);
  // Not awaited, because the receivers may not respond.
  void sendNotices(context, unsent).catch(error => context.warn(error, NOTICE_NOT_SENT));
}

async function countOrRefuse(
  context: BillingContext,
  run: CountedRun,
  plan: Plan,
  period: Period,
): Promise<Amount | "counted"> {
  const requested = { runs: 1, screenshots: run.screenshots };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const used = await countRun(context.em(), run, plan);
    if (used !== null) return used;
    const shortage = shortageOf(plan, await findUsage(context.em(), run.teamId, period.start), requested);
    if (!shortage) continue;
    throw new ServiceError("plan_limit_exceeded", shortageInWords(plan, shortage, requested, period.end), {
      limit: shortage.limit,
      used: shortage.used,
      resetsAt: period.end.toISOString(),
    });
  }
  throw new ServiceError("unavailable", BILLING_ERRORS.usageBusy);
}
