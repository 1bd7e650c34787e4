import { call } from "../../../shared/contracts/bus.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { deleteGoneTeams } from "../../../shared/delete-gone-teams.ts";
import { notFound } from "../../../shared/errors.ts";
import { deleteChecks, findChecks } from "../checks/check.store.ts";
import { alertedMonitor } from "../checks/report-check.ts";
import { watcherOf } from "../checks/submit-check.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { projectOf } from "./baseline-project.ts";
import { keepPlan } from "./keep-plan.ts";
import type { Monitor } from "./monitor.entity.ts";
import { findDeleted, markDeleted, markTeamDeleted, removeMonitor } from "./monitor.store.ts";
import { lockTeam, scheduleTeam } from "./team.store.ts";
import { noteActivity } from "./write-monitor.ts";

const MONITORS_AT_ONCE = 20;
const CHECKS_AT_ONCE = 1_000;

/** Deletes a monitor: it is gone at once, and its history soon after. @throws ServiceError not_found */
export async function deleteMonitor(context: MonitorsContext, caller: Caller, id: string): Promise<void> {
  const { teamId } = caller;
  const plan = await keepPlan(context, teamId);
  const name = await context.em().transactional(async tx => {
    await lockTeam(tx, teamId, plan);
    const deleted = await markDeleted(tx, teamId, id);
    if (deleted === null) throw notFound("monitor", id);
    // There may be room now for one that there was none for.
    await scheduleTeam(tx, teamId);
    return deleted;
  });
  await noteActivity(context, caller, "monitor.deleted", id, { name });
  // Thousands of checks may take a while; should this node go away meanwhile, another one goes on.
  void purgeMonitors(context).catch(error => context.warn(error, LOG_MESSAGES.notDeletedYet(id)));
}

/** Removes the monitors of a team that is gone for good; of one that is there it does nothing, whoever says it is not. */
export async function deleteTeamData(context: MonitorsContext, teamId: string): Promise<void> {
  const gone = await deleteGoneTeams(context.bus, [teamId], id => markTeamDeleted(context.em(), id));
  if (gone.size > 0) await purgeMonitors(context);
}

/** Removes what is left of deleted monitors; done again, it goes on where it was. Any number of nodes may do it at once. */
export async function purgeMonitors(context: MonitorsContext): Promise<void> {
  for (;;) {
    const monitors = await findDeleted(context.em(), MONITORS_AT_ONCE);
    for (const monitor of monitors) {
      const { id, teamId, generation } = monitor;
      await cancelCheck(context, monitor);
      await call(context.bus, "alerts.forget", { monitor: alertedMonitor(monitor) });
      for (let past = 1; past <= generation; past += 1)
        await call(context.bus, "runs.deleteBaselines", { teamId, project: projectOf(id, past) });
      while ((await deleteChecks(context.em(), id, CHECKS_AT_ONCE)) > 0);
      await removeMonitor(context.em(), id);
    }
    if (monitors.length < MONITORS_AT_ONCE) return;
  }
}

/** Nobody waits any more for the run of the check that is under way. */
async function cancelCheck(context: MonitorsContext, { checkId }: Monitor): Promise<void> {
  for (const check of checkId === null ? [] : await findChecks(context.em(), [checkId]))
    await call(context.as(watcherOf(check)), "runs.cancel", { id: check.latestRunId }).catch(() => {
      // It has ended, or ends by itself.
    });
}
