import { call } from "../../../shared/contracts/bus.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { forgetGoneTeams } from "../../../shared/delete-gone-teams.ts";
import { notFound } from "../../../shared/errors.ts";
import { deleteChecks, findChecks } from "../checks/check.store.ts";
import { alertedMonitor } from "../checks/report-check.ts";
import { watcherOf } from "../checks/submit-check.ts";
import type { MonitorsNode } from "../monitors-context.ts";
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
export async function deleteMonitor(node: MonitorsNode, caller: Caller, id: string): Promise<void> {
  const { teamId } = caller;
  const plan = await keepPlan(node, teamId);
  const name = await node.em().transactional(async tx => {
    await lockTeam(tx, teamId, plan);
    const deleted = await markDeleted(tx, teamId, id);
    if (deleted === null) throw notFound("monitor", id);
    // There may be room now for one that there was none for.
    await scheduleTeam(tx, teamId);
    return deleted;
  });
  await noteActivity(node, caller, "monitor.deleted", id, { name });
  // Thousands of checks may take a while; should this node go away meanwhile, another one goes on.
  void purgeMonitors(node).catch(error => node.warn(error, LOG_MESSAGES.notDeletedYet(id)));
}

/** Removes the monitors of a team that is gone for good; of one that is there it does nothing, whoever says it is not. */
export async function forgetTeam(node: MonitorsNode, teamId: string): Promise<void> {
  const gone = await forgetGoneTeams(node.bus, [teamId], id => markTeamDeleted(node.em(), id));
  if (gone.size > 0) await purgeMonitors(node);
}

/** Removes what is left of deleted monitors; done again, it goes on where it was. Any number of nodes may do it at once. */
export async function purgeMonitors(node: MonitorsNode): Promise<void> {
  for (;;) {
    const monitors = await findDeleted(node.em(), MONITORS_AT_ONCE);
    for (const monitor of monitors) {
      const { id, teamId, generation } = monitor;
      await cancelCheck(node, monitor);
      await call(node.bus, "alerts.forget", { monitor: alertedMonitor(monitor) });
      for (let past = 1; past <= generation; past += 1)
        await call(node.bus, "runs.forgetBaselines", { teamId, project: projectOf(id, past) });
      while ((await deleteChecks(node.em(), id, CHECKS_AT_ONCE)) > 0);
      await removeMonitor(node.em(), id);
    }
    if (monitors.length < MONITORS_AT_ONCE) return;
  }
}

/** Nobody waits any more for the run of the check that is under way. */
async function cancelCheck(node: MonitorsNode, { checkId }: Monitor): Promise<void> {
  for (const check of checkId === null ? [] : await findChecks(node.em(), [checkId]))
    await call(node.as(watcherOf(check)), "runs.cancel", { id: check.latestRunId }).catch(() => {
      // It has ended, or ends by itself.
    });
}
