import { forEachConcurrently, forEachIsolated } from "../../shared/async.ts";
import { call } from "../../shared/contracts/bus.ts";
import { deleteGoneTeams } from "../../shared/delete-gone-teams.ts";
import { advanceCheck } from "./checks/advance-check.ts";
import type { Check } from "./checks/check.entity.ts";
import { deleteOldChecks } from "./checks/check.store.ts";
import { findOverdue, leaseStale, leaseUnreported } from "./checks/pending-checks.store.ts";
import { reportChecks } from "./checks/report-check.ts";
import { endFailed, monitorCaller, submitChecks } from "./checks/submit-check.ts";
import { deleteOldHttpResults } from "./http/http-check.store.ts";
import { deleteOldWindows } from "./maintenance/maintenance.store.ts";
import type { MonitorsContext } from "./monitors-context.ts";
import { deleteOldAvailability } from "./queries/availability.store.ts";
import { deleteTeamSettings } from "./settings/delete-monitor.ts";
import { fixScheduledTimes } from "./settings/monitor.store.ts";
import { syncPlan } from "./settings/sync-plan.ts";
import { deleteIdleTeams, leaseTeamsToPrune, leaseTeamsToRefresh } from "./settings/team.store.ts";
import { CHECK_REASONS, LOG_MESSAGES } from "./texts.ts";

/** Longer than a check's start or report takes. A check that takes longer to end is touched meanwhile. */
const STALE_AFTER_MS = 15_000;
/** Longer than a run takes, including its wait for the team's other runs. A later result is of no use. */
const CHECK_DEADLINE_MS = 60 * 60_000;
const CHECK_BATCH_SIZE = 50;

/** Events announce plan changes. This bounds the delay if an event is lost. */
const PLAN_REFRESH_INTERVAL_MS = 10 * 60_000;
const PRUNE_INTERVAL_MS = 60 * 60_000;
/** The longest period of a chart. */
const WINDOW_RETENTION_DAYS = 90;
const TEAM_BATCH_SIZE = 20;
const OLD_CHECK_BATCH_SIZE = 1_000;

/** Reports completed checks whose report was lost. Any number of nodes may do it at the same time. */
export async function recoverReports(context: MonitorsContext): Promise<void> {
  await repeatWhileFull(CHECK_BATCH_SIZE, async () => {
    const unreported = await leaseUnreported(context.em(), STALE_AFTER_MS, CHECK_BATCH_SIZE);
    await forEachIsolated(
      new Set(unreported.map(({ monitorId }) => monitorId)),
      id => reportChecks(context, id),
      (error, id) => context.warn(error, LOG_MESSAGES.checksOfNotReported(id)),
    );
    return unreported.length;
  });
}

/** Advances running checks that no node worked on for a while. Any number of nodes may do it at the same time. */
export async function recoverChecks(context: MonitorsContext): Promise<void> {
  await repeatWhileFull(CHECK_BATCH_SIZE, async () => {
    const silent = await leaseStale(context.em(), STALE_AFTER_MS, CHECK_BATCH_SIZE);
    if (silent.length > 0) await recover(context, silent);
    return silent.length;
  });
}

async function recover(context: MonitorsContext, checks: Check[]): Promise<void> {
  const ids = checks.map(({ id }) => id);
  const overdue = await findOverdue(context.em(), ids, CHECK_DEADLINE_MS);
  for (const check of checks.filter(({ id }) => overdue.has(id))) await endOverdue(context, check);
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
  // One whose site is down waits for regions.
  await forEachConcurrently(
    submitted,
    CHECK_BATCH_SIZE,
    check => advanceCheck(context, check, byId.get(check.latestRunId)),
    (error, check) => context.warn(error, LOG_MESSAGES.notAdvanced(check.id)),
  );
}

async function endOverdue(context: MonitorsContext, check: Check): Promise<void> {
  if (!(await endFailed(context, check, CHECK_REASONS.timeout(CHECK_DEADLINE_MS / 60_000)))) return;
  await call(context.as(monitorCaller(check)), "runs.cancel", { id: check.latestRunId }).catch(() => {
    // The run ended, or was never created.
  });
}

/** Fixes impossible schedule times, and refreshes what is known about teams. */
export async function cleanUpTeams(context: MonitorsContext): Promise<void> {
  await fixScheduledTimes(context.em());
  await deleteIdleTeams(context.em());
  await repeatWhileFull(TEAM_BATCH_SIZE, async () => {
    const teams = await leaseTeamsToRefresh(context.em(), PLAN_REFRESH_INTERVAL_MS, TEAM_BATCH_SIZE);
    await forEachIsolated(
      await deleteGone(context, teams),
      teamId => syncPlan(context, teamId),
      (error, teamId) => context.warn(error, LOG_MESSAGES.planNotRead(teamId)),
    );
    return teams.length;
  });
}

/** Deletes results of checks that the team's plan no longer keeps, and sums that no view reads. */
export async function pruneChecks(context: MonitorsContext): Promise<void> {
  await deleteOldAvailability(context.em());
  await deleteOldWindows(context.em(), WINDOW_RETENTION_DAYS);
  await repeatWhileFull(TEAM_BATCH_SIZE, async () => {
    const teams = await leaseTeamsToPrune(context.em(), PRUNE_INTERVAL_MS, TEAM_BATCH_SIZE);
    await forEachIsolated(
      teams,
      async teamId => {
        for (const deleteOld of [deleteOldChecks, deleteOldHttpResults])
          await repeatWhileFull(OLD_CHECK_BATCH_SIZE, () =>
            deleteOld(context.em(), teamId, OLD_CHECK_BATCH_SIZE),
          );
      },
      (error, teamId) => context.warn(error, LOG_MESSAGES.checksOfNotDeleted(teamId)),
    );
    return teams.length;
  });
}

/**
 * Deletes the data of teams that were deleted without this service receiving the event. @returns the other
 * teams
 */
async function deleteGone(context: MonitorsContext, teams: string[]): Promise<string[]> {
  const gone = await deleteGoneTeams(context.bus, teams, teamId => deleteTeamSettings(context, teamId));
  return teams.filter(teamId => !gone.has(teamId));
}

/** Repeats a batch until one is not full. */
async function repeatWhileFull(full: number, doPart: () => Promise<number>): Promise<void> {
  while ((await doPart()) >= full);
}
