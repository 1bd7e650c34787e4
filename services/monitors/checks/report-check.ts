import { databaseTime } from "../../../mixins/database.ts";
import { WHOLE_PAGE } from "../../../shared/alerts/fingerprint.rule.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type {
  AlertedMonitor,
  CheckOutcome,
  PageAt,
} from "../../../shared/contracts/monitors/alert-actions.ts";
import type { RunOutcome } from "../../../shared/contracts/runs/run-outcomes.ts";
import { monitorOfProject } from "../../../shared/ids.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { publishChanged } from "../publish-changed.ts";
import { projectOf } from "../settings/baseline-project.ts";
import type { Monitor } from "../settings/monitor.entity.ts";
import { bringForward, findAnyMonitor, markApproved } from "../settings/monitor.store.ts";
import { findTeam } from "../settings/team.store.ts";
import { CHECK_REASONS, LOG_MESSAGES } from "../texts.ts";
import type { Check } from "./check.entity.ts";
import { findChecks, markReported, takeUnreported } from "./check.store.ts";
import { coversChange } from "./judge-check.rule.ts";
import { namedRun } from "./named-run.rule.ts";

/** What could not be told for so long is over once a later check has ended. */
const LATE_MS = 60 * 60_000;

/**
 * Tells whoever alerts what the checks of a monitor found that were not heard of, in the order of their ends: who is
 * told twice hears of the same check. A check counts of the address that the monitor has, on a plan whose monitors alert.
 */
export async function reportChecks(context: MonitorsContext, monitorId: string): Promise<void> {
  for (const check of await takeUnreported(context.em(), monitorId, LATE_MS))
    await reportCheck(context, check);
}

async function reportCheck(context: MonitorsContext, check: Check): Promise<void> {
  const monitor = await findAnyMonitor(context.em(), check.monitorId);
  const outcome = outcomeOf(check);
  const counts = monitor && check.target.project === projectOf(monitor.id, monitor.generation);
  if (outcome && monitor && counts && (await alerts(context, monitor))) {
    await call(context.bus, "alerts.report", {
      checkId: check.id,
      runId: namedRun(check),
      at: (check.endedAt ?? check.startedAt).toISOString(),
      monitor: alertedMonitor(monitor),
      outcome,
      unseen: unseenOf(check),
    });
  }
  await markReported(context.em(), check.id);
}

/**
 * A reviewer has approved a run of a monitor. If that is all that its last check found to look different, all is well
 * from now on, and whoever was alerted hears of it at once and not at the next check. Else, and where it could not be
 * told, the site is looked at again at once. Whether it was approved the run says, not who tells of it.
 */
export async function noteApproval(context: MonitorsContext, runId: string): Promise<void> {
  const [run] = await call(context.bus, "runs.outcomes", { ids: [runId] });
  const of = run ? monitorOfProject(run.project) : null;
  if (run?.conclusion !== "approved" || !of) return;
  // Before it is known which check was the last: one that ends meanwhile has the last word.
  const at = await databaseTime(context.em());
  const monitor = await findAnyMonitor(context.em(), of.id);
  if (monitor?.status !== "changed" || run.project !== projectOf(monitor.id, monitor.generation)) return;
  const [last] = monitor.lastCheckId === null ? [] : await findChecks(context.em(), [monitor.lastCheckId]);
  // What could not be looked at is not known to be well.
  if (last && isAllOf(last, run) && unseenOf(last).length === 0) {
    try {
      return await tellApproved(context, monitor, { last, runId, at });
    } catch (error) {
      context.warn(error, LOG_MESSAGES.approvalNotPublished(runId, monitor.id));
    }
  }
  await bringForward(context.em(), monitor.id);
}

function isAllOf({ runId, latestRunId, outcome, drift }: Check, { id, screenshots }: RunOutcome): boolean {
  const isOfIt = id === runId || id === latestRunId;
  return isOfIt && outcome === "changed" && coversChange(drift, screenshots ?? []);
}

/** Told first: should this node go away in between, the next check finds all well and has no more to tell. */
async function tellApproved(
  context: MonitorsContext,
  monitor: Monitor,
  { last, runId, at }: { last: Check; runId: string; at: Date },
): Promise<void> {
  if (await alerts(context, monitor)) {
    await call(context.bus, "alerts.report", {
      // Not the check's own: of that another answer was given.
      checkId: `${last.id}.approved`,
      runId,
      at: at.toISOString(),
      monitor: alertedMonitor(monitor),
      outcome: { kind: "ok" },
      unseen: [],
    });
  }
  await markApproved(context.em(), last);
  await publishChanged(context, [last]);
}

/** A monitor as alerts speak of it. */
export function alertedMonitor({ id, teamId, name, url, channels }: Monitor): AlertedMonitor {
  return { id, teamId, name, url, channels };
}

async function alerts(context: MonitorsContext, { teamId, deletedAt }: Monitor): Promise<boolean> {
  return deletedAt === null && (await findTeam(context.em(), teamId))?.scheduled === true;
}

/** Null of a check that says nothing of its site. */
function outcomeOf({ outcome, error, drift, regressions, downRoutes }: Check): CheckOutcome | null {
  if (outcome === "established" || outcome === "ok") return { kind: "ok" };
  if (outcome === "changed") return { kind: "changed", regressions };
  if (outcome !== "down") return null;
  return {
    kind: "down",
    reason: error ?? CHECK_REASONS.notResponding,
    routes: downRoutes,
    isWhole: drift.every(({ route }) => downRoutes.includes(route)),
    regressions,
  };
}

/** What the service could not look at, or saw something wrong of once only. A page that is seen at any width is up. */
function unseenOf({ drift, downRoutes }: Check): PageAt[] {
  const byRoute = Map.groupBy(drift, ({ route }) => route);
  return [...byRoute].flatMap(([route, widths]) => {
    if (downRoutes.includes(route)) return [];
    const unseen = widths.filter(({ state }) => state === "failed").map(({ viewport }) => viewport);
    const whole = unseen.length === widths.length ? [WHOLE_PAGE] : [];
    return [...unseen, ...whole].map(viewport => ({ route, viewport }));
  });
}
