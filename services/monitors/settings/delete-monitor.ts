import { forEachConcurrently } from "../../../shared/async.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { deleteGoneTeams } from "../../../shared/delete-gone-teams.ts";
import { notFound } from "../../../shared/errors.ts";
import { projectOf } from "../../../shared/monitor-project.ts";
import { deleteChecks, findChecks } from "../checks/check.store.ts";
import { alertedMonitor } from "../checks/report-check.ts";
import { monitorCaller } from "../checks/submit-check.ts";
import { deleteTeamWindows } from "../maintenance/maintenance.store.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { deleteTeamStatusPages } from "../status-pages/status-page.store.ts";
import { LOG_MESSAGES } from "../texts.ts";
import type { Monitor } from "./monitor.entity.ts";
import { findDeleted, markDeleted, markTeamDeleted, removeMonitor } from "./monitor.store.ts";
import { syncPlan } from "./sync-plan.ts";
import { lockTeam, scheduleTeam } from "./team.store.ts";
import { noteActivity } from "./write-monitor.ts";

const MONITOR_BATCH_SIZE = 20;
const CHECK_BATCH_SIZE = 1_000;

/** Deletes a monitor at once, and its history soon after. @throws ServiceError not_found */
export async function deleteMonitor(context: MonitorsContext, caller: Caller, id: string): Promise<void> {
  const { teamId } = caller;
  const plan = await syncPlan(context, teamId);
  const name = await context.em().transactional(async tx => {
    await lockTeam(tx, teamId, plan);
    const deleted = await markDeleted(tx, teamId, id);
    if (deleted === null) throw notFound("monitor", id);
    // The deletion may free a place for a monitor over the limit.
    await scheduleTeam(tx, teamId);
    return deleted;
  });
  await noteActivity(context, caller, "monitor.deleted", id, { name });
  // Thousands of checks take a while. If this node stops meanwhile, another one continues.
  void purgeMonitors(context).catch(error => context.warn(error, LOG_MESSAGES.notDeletedYet(id)));
}

/** Deletes the monitors of a deleted team. If the team exists, it does nothing, whatever the event says. */
export async function deleteTeamData(context: MonitorsContext, teamId: string): Promise<void> {
  const gone = await deleteGoneTeams(context.bus, [teamId], id => deleteTeamSettings(context, id));
  if (gone.size > 0) await purgeMonitors(context);
}

/** Deletes the status pages and maintenance of a deleted team, and marks its monitors as deleted. */
export async function deleteTeamSettings({ em }: MonitorsContext, teamId: string): Promise<void> {
  await deleteTeamStatusPages(em(), teamId);
  await deleteTeamWindows(em(), teamId);
  await markTeamDeleted(em(), teamId);
}

/**
 * Deletes the data of deleted monitors. A repeated call continues where the last one stopped. Any number of nodes
 * may do it at the same time.
 */
export async function purgeMonitors(context: MonitorsContext): Promise<void> {
  let after = "";
  for (;;) {
    const monitors = await findDeleted(context.em(), { after, limit: MONITOR_BATCH_SIZE });
    await forEachConcurrently(
      monitors,
      1,
      monitor => purgeMonitor(context, monitor),
      (error, { id }) => context.warn(error, LOG_MESSAGES.notDeletedYet(id)),
    );
    const last = monitors.at(-1);
    if (!last || monitors.length < MONITOR_BATCH_SIZE) return;
    after = last.id;
  }
}

async function purgeMonitor(context: MonitorsContext, monitor: Monitor): Promise<void> {
  const { id, teamId } = monitor;
  await cancelOpenCheck(context, monitor);
  await call(context.bus, "alerts.deleteMonitor", { monitor: alertedMonitor(monitor) });
  await call(context.bus, "runs.deleteBaselines", { teamId, project: projectOf(id, 1) });
  while ((await deleteChecks(context.em(), id, CHECK_BATCH_SIZE)) > 0);
  await removeMonitor(context.em(), id);
}

/** Cancels the run of the monitor's open check. */
async function cancelOpenCheck(context: MonitorsContext, { checkId }: Monitor): Promise<void> {
  for (const check of checkId === null ? [] : await findChecks(context.em(), [checkId]))
    await call(context.as(monitorCaller(check)), "runs.cancel", { id: check.latestRunId }).catch(() => {
      // The run ended, or ends by itself.
    });
}
