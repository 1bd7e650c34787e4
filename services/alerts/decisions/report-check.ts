import type { EntityManager } from "../../../mixins/database.ts";
import { decide, type Telling, whatIsWrong } from "../../../shared/alerts/decide.rule.ts";
import { withUnseen } from "../../../shared/alerts/unseen.rule.ts";
import type { AlertDecision, CheckReport } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { messageOf } from "../notifications/message.ts";
import { insertDeliveries } from "../notifications/notification.store.ts";
import { publishChanged } from "../publish-changed.ts";
import { insertTold } from "./mark.store.ts";
import { planDeliveries } from "./plan-notifications.ts";
import { findDecision, findOptOuts, insertDecision, lockState, saveState } from "./state.store.ts";

/**
 * Decides on a finished check and queues what follows, all or nothing and one check of a monitor at a time: whatever
 * goes away in the middle, the report can be made again and tells nobody twice.
 */
export async function reportCheck(context: AlertsContext, report: CheckReport): Promise<AlertDecision> {
  const { monitor, checkId, at, unseen } = report;
  const decision = await context.em().transactional(async tx => {
    const { state, now } = await lockState(tx, monitor.id, monitor.teamId);
    const before = await findDecision(tx, checkId);
    if (before) return before;
    const outcome = withUnseen(report.outcome, unseen, state.alertedOutcome);
    const decided = decide(state, { at: new Date(at), wrong: whatIsWrong(outcome) }, now);
    await insertDecision(tx, checkId, monitor.id, decided.decision);
    const told = outcome.kind === "ok" ? null : outcome;
    const alertedOutcome = decided.tell ? told : state.alertedOutcome;
    await saveState(tx, monitor.id, { ...decided.state, alertedOutcome });
    if (decided.tell) {
      const marked = { monitorId: monitor.id, teamId: monitor.teamId };
      await insertTold(tx, marked, { kind: decided.tell.kind, checkId });
      await queue(tx, context, { ...report, outcome }, decided.tell);
    }
    return decided.decision;
  });
  context.nudge();
  await publishChanged(context, { monitorId: monitor.id, teamId: monitor.teamId });
  return decision;
}

async function queue(
  tx: EntityManager,
  context: AlertsContext,
  report: CheckReport,
  tell: Telling,
): Promise<void> {
  const since = tell.kind === "recovered" ? (tell.since?.toISOString() ?? null) : null;
  const plan = planDeliveries({
    source: `check ${report.checkId}`,
    message: messageOf(report, { kind: tell.kind, about: tell.about, since }),
    replaces: tell.kind === "recovered" ? null : tell.replaces,
    channels: report.monitor.channels,
    optedOut: await findOptOuts(tx, report.monitor.id),
    hasMailer: context.mailer !== null,
  });
  await insertDeliveries(tx, plan);
}
