import { forEachIsolated } from "../../shared/async.ts";
import { call } from "../../shared/contracts/bus.ts";
import { deleteGoneTeams } from "../../shared/delete-gone-teams.ts";
import { advanceCheck } from "./checks/advance-check.ts";
import type { Check } from "./checks/check.entity.ts";
import { claimSilent, claimUnreported, deleteOldChecks, findOverdue } from "./checks/check.store.ts";
import { reportChecks } from "./checks/report-check.ts";
import { endFailed, submitChecks, watcherOf } from "./checks/submit-check.ts";
import type { MonitorsContext } from "./monitors-context.ts";
import { keepPlan } from "./settings/keep-plan.ts";
import { bringBackTurns, markTeamDeleted } from "./settings/monitor.store.ts";
import { claimTeamsToAsk, claimTeamsToPrune, forgetIdleTeams } from "./settings/team.store.ts";
import { CHECK_REASONS, LOG_MESSAGES } from "./texts.ts";

/** Longer than it takes to begin a check, or to tell of one. */
const SILENT_MS = 15_000;
/** Longer than a run takes while its team's others are before it; a check that is not through by then is of no use. */
const LONGEST_MS = 60 * 60_000;
const CHECKS_AT_ONCE = 50;

/** A plan's change is told; this bounds the case that the message got lost. */
const ASK_EVERY_MS = 10 * 60_000;
const PRUNE_EVERY_MS = 60 * 60_000;
const TEAM_BATCH_SIZE = 20;
const OLD_CHECKS_AT_ONCE = 1_000;

/** What a node does now and then to put right what got lost. Any number of nodes may do each of them at once. */

/** Reports checks that ended and were not heard of. */
export async function recoverReports(context: MonitorsContext): Promise<void> {
  await untilFew(CHECKS_AT_ONCE, async () => {
    const unreported = await claimUnreported(context.em(), SILENT_MS, CHECKS_AT_ONCE);
    await forEachIsolated(
      new Set(unreported.map(({ monitorId }) => monitorId)),
      id => reportChecks(context, id),
      (error, id) => context.warn(error, LOG_MESSAGES.checksOfNotReported(id)),
    );
    return unreported.length;
  });
}

/** Sees to checks under way that nobody has seen to for a while. */
export async function recoverChecks(context: MonitorsContext): Promise<void> {
  await untilFew(CHECKS_AT_ONCE, async () => {
    const silent = await claimSilent(context.em(), SILENT_MS, CHECKS_AT_ONCE);
    if (silent.length > 0) await seeTo(context, silent);
    return silent.length;
  });
}

async function seeTo(context: MonitorsContext, checks: Check[]): Promise<void> {
  const ids = checks.map(({ id }) => id);
  const overdue = await findOverdue(context.em(), ids, LONGEST_MS);
  for (const check of checks.filter(({ id }) => overdue.has(id))) await giveUp(context, check);
  const open = checks.filter(({ id }) => !overdue.has(id));
  await submitChecks(
    context,
    open.filter(({ submittedAt }) => submittedAt === null),
  );
  const submitted = open.filter(({ submittedAt }) => submittedAt !== null);
  if (submitted.length === 0) return;
  const runs = await call(context.bus, "runs.outcomes", {
    ids: submitted.map(({ latestRunId }) => latestRunId),
  });
  const byId = new Map(runs.map(run => [run.id, run]));
  for (const check of submitted) {
    await advanceCheck(context, check, byId.get(check.latestRunId)).catch(error =>
      context.warn(error, LOG_MESSAGES.notAdvanced(check.id)),
    );
  }
}

async function giveUp(context: MonitorsContext, check: Check): Promise<void> {
  if (!(await endFailed(context, check, CHECK_REASONS.timeout(LONGEST_MS / 60_000)))) return;
  await call(context.as(watcherOf(check)), "runs.cancel", { id: check.latestRunId }).catch(() => {
    // It has ended, or was never there.
  });
}

/** Puts right turns that no clock can have meant, and brings what is known of teams up to date. */
export async function cleanUpTeams(context: MonitorsContext): Promise<void> {
  await bringBackTurns(context.em());
  await forgetIdleTeams(context.em());
  await untilFew(TEAM_BATCH_SIZE, async () => {
    const teams = await claimTeamsToAsk(context.em(), ASK_EVERY_MS, TEAM_BATCH_SIZE);
    await forEachIsolated(
      await forgetGone(context, teams),
      teamId => keepPlan(context, teamId),
      (error, teamId) => context.warn(error, LOG_MESSAGES.planNotRead(teamId)),
    );
    return teams.length;
  });
}

/** Deletes checks that their team's plan keeps no longer. */
export async function pruneChecks(context: MonitorsContext): Promise<void> {
  await untilFew(TEAM_BATCH_SIZE, async () => {
    const teams = await claimTeamsToPrune(context.em(), PRUNE_EVERY_MS, TEAM_BATCH_SIZE);
    await forEachIsolated(
      teams,
      teamId => untilFew(OLD_CHECKS_AT_ONCE, () => deleteOldChecks(context.em(), teamId, OLD_CHECKS_AT_ONCE)),
      (error, teamId) => context.warn(error, LOG_MESSAGES.checksOfNotDeleted(teamId)),
    );
    return teams.length;
  });
}

/** Has what teams had deleted that are gone for good without this service having heard of it. @returns the others */
async function forgetGone(context: MonitorsContext, teams: string[]): Promise<string[]> {
  const gone = await deleteGoneTeams(context.bus, teams, teamId => markTeamDeleted(context.em(), teamId));
  return teams.filter(teamId => !gone.has(teamId));
}

/** Does a part after the other, until one is not full. */
async function untilFew(full: number, doPart: () => Promise<number>): Promise<void> {
  while ((await doPart()) >= full);
}
