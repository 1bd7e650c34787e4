import { databaseTime } from "../../../mixins/database.ts";
import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { BillingContext } from "../billing-context.ts";
import { BILLING_ERRORS, LOG_MESSAGES } from "../texts.ts";
import { type Amount, type Notice, noticesOf, shortageInWords, shortageOf } from "./allowance.rule.ts";
import { sendNotices } from "./notify-usage.ts";
import { type Period, periodAt } from "./period.rule.ts";
import { addNotices, findUsage, type Taking, takeAllowance as takeStored } from "./usage.store.ts";

/** While others give back and take, what is left may look like enough between two looks. */
const LOOKS = 5;
const NOT_NOTICED = LOG_MESSAGES.noticeNotSent;

/**
 * Counts a run and its screenshots against the allowances of its team's plan, once however often it is asked to.
 * @throws ServiceError plan_limit_exceeded when too little is left; then nothing is counted
 */
export async function takeAllowance(
  context: BillingContext,
  { runId, teamId, screenshots }: { runId: string; teamId: string; screenshots: number },
): Promise<void> {
  const em = context.em();
  const [plan, now] = await Promise.all([context.planOf(teamId), databaseTime(em)]);
  const period = periodAt(now);
  const taking = { runId, teamId, periodStart: period.start, screenshots };
  const used = await takeOrRefuse(context, taking, plan, period);
  if (used === "taken") return;
  const notices = noticesOf(plan, used);
  if (notices.length > 0)
    await notice(context, taking, notices).catch(error => context.warn(error, NOT_NOTICED));
}

async function notice(context: BillingContext, taking: Taking, notices: Notice[]): Promise<void> {
  const untold = await addNotices(context.em(), taking, notices);
  // The run does not wait for those who are told, one of whom may be away.
  void sendNotices(context, untold).catch(error => context.warn(error, NOT_NOTICED));
}

async function takeOrRefuse(
  context: BillingContext,
  taking: Taking,
  plan: Plan,
  period: Period,
): Promise<Amount | "taken"> {
  const asked = { runs: 1, screenshots: taking.screenshots };
  for (let look = 0; look < LOOKS; look++) {
    const used = await takeStored(context.em(), taking, plan);
    if (used !== null) return used;
    const shortage = shortageOf(plan, await findUsage(context.em(), taking.teamId, period.start), asked);
    if (!shortage) continue;
    throw new ServiceError("plan_limit_exceeded", shortageInWords(plan, shortage, asked, period.end), {
      limit: shortage.limit,
      used: shortage.used,
      resetsAt: period.end.toISOString(),
    });
  }
  throw new ServiceError("unavailable", BILLING_ERRORS.usageBusy);
}
