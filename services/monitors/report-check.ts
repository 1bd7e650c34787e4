import type { AlertedMonitor, CheckOutcome } from "../../shared/contracts/alert-actions.ts";
import { call } from "../../shared/contracts/bus.ts";
import type { Check } from "./check.entity.ts";
import { findChanged, markReported, takeUnreported } from "./check.store.ts";
import { coversChange } from "./judge-check.ts";
import type { Monitor } from "./monitor.entity.ts";
import { bringForward, findAnyMonitor, markApproved } from "./monitor.store.ts";
import type { MonitorsNode } from "./monitors-node.ts";
import { namedRun } from "./named-run.ts";
import { projectOf } from "./project.ts";
import { findTeam } from "./team.store.ts";
import { tellChanged } from "./tell-changed.ts";

/** What could not be told for so long is over once a later check has ended. */
const LATE_MS = 60 * 60_000;

/**
 * Tells whoever alerts what the checks of a monitor found that were not heard of, in the order of their ends: who is
 * told twice hears of the same check. A check counts of the address that the monitor has, on a plan whose monitors alert.
 */
export async function reportChecks(node: MonitorsNode, monitorId: string): Promise<void> {
  for (const check of await takeUnreported(node.em(), monitorId, LATE_MS)) await reportCheck(node, check);
}

async function reportCheck(node: MonitorsNode, check: Check): Promise<void> {
  const monitor = await findAnyMonitor(node.em(), check.monitorId);
  const outcome = outcomeOf(check);
  const counts = monitor && check.target.project === projectOf(monitor.id, monitor.generation);
  if (outcome && monitor && counts && (await alerts(node, monitor))) {
    await call(node.bus, "alerts.report", {
      checkId: check.id,
      runId: namedRun(check),
      at: (check.endedAt ?? check.startedAt).toISOString(),
      monitor: alertedMonitor(monitor),
      outcome,
    });
  }
  await markReported(node.em(), check.id);
}

/**
 * A reviewer has approved what a check found to look different, all of it: all is well from now on, and whoever was
 * alerted hears of it at once and not at the next check. Where it was a part, or what an earlier check found, the site is
 * looked at again at once. Whether it was approved the run says, not who tells of it.
 */
export async function noteApproval(node: MonitorsNode, runId: string): Promise<void> {
  const check = await findChanged(node.em(), runId);
  if (!check) return;
  const [run] = await call(node.bus, "runs.outcomes", { ids: [runId] });
  if (run?.conclusion !== "approved") return;
  const approved = coversChange(check.drift, run.screenshots ?? [])
    ? await markApproved(node.em(), check.id)
    : null;
  if (!approved) return bringForward(node.em(), check.id);
  await tellChanged(node, [check]);
  const monitor = await findAnyMonitor(node.em(), approved.monitorId);
  if (!monitor || !(await alerts(node, monitor))) return;
  await call(node.bus, "alerts.report", {
    // Not the check's own: of that another answer was given.
    checkId: `${approved.checkId}.approved`,
    runId,
    at: new Date(approved.atMs).toISOString(),
    monitor: alertedMonitor(monitor),
    outcome: { kind: "ok" },
  });
}

/** A monitor as alerts speak of it. */
export function alertedMonitor({ id, teamId, name, url, channels }: Monitor): AlertedMonitor {
  return { id, teamId, name, url, channels };
}

async function alerts(node: MonitorsNode, { teamId, deletedAt }: Monitor): Promise<boolean> {
  return deletedAt === null && (await findTeam(node.em(), teamId))?.scheduled === true;
}

/** Null of a check that says nothing of its site. */
function outcomeOf({ outcome, error, drift, regressions, downRoutes }: Check): CheckOutcome | null {
  if (outcome === "established" || outcome === "ok") return { kind: "ok" };
  if (outcome === "changed") return { kind: "changed", regressions };
  if (outcome !== "down") return null;
  return {
    kind: "down",
    reason: error ?? "It does not answer.",
    routes: downRoutes,
    isWhole: drift.every(({ route }) => downRoutes.includes(route)),
    regressions,
  };
}
