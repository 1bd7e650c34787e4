import { databaseTime } from "../../../mixins/database.ts";
import { WHOLE_PAGE } from "../../../shared/alerts/fingerprint.rule.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { StoredPage } from "../../../shared/contracts/capture/page-fields.ts";
import type { AlertedMonitor, CheckOutcome } from "../../../shared/contracts/monitors/alert-actions.ts";
import { publishMonitorsChanged } from "../../../shared/contracts/monitors/monitors-changed.ts";
import type { RunOutcome } from "../../../shared/contracts/runs/run-outcomes.ts";
import { monitorOfProject, projectOf } from "../../../shared/monitor-project.ts";
import { findCurrent } from "../maintenance/maintenance.store.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import type { Monitor } from "../settings/monitor.entity.ts";
import { findAnyMonitor, markApproved, scheduleNow } from "../settings/monitor.store.ts";
import { findTeam } from "../settings/team.store.ts";
import { CHECK_REASONS, LOG_MESSAGES } from "../texts.ts";
import { agreeOnPages, ruleOf } from "./agree-on-page.rule.ts";
import type { Check } from "./check.entity.ts";
import { findChecks } from "./check.store.ts";
import { coversChange, runToOpen, seenOf } from "./evaluate-check.rule.ts";
import { markReported, selectUnreported } from "./pending-checks.store.ts";

/** An older unreported check is dropped once a later check has ended. */
const REPORT_DEADLINE_MS = 60 * 60_000;

/**
 * Reports a monitor's unreported checks to the alerts service, in the order in which they ended. A repeated report
 * is harmless. Only checks of the current URL count, and only on plans with alerts.
 */
export async function reportChecks(context: MonitorsContext, monitorId: string): Promise<void> {
  for (const check of await selectUnreported(context.em(), monitorId, REPORT_DEADLINE_MS))
    await reportCheck(context, check);
}

async function reportCheck(context: MonitorsContext, check: Check): Promise<void> {
  const monitor = await findAnyMonitor(context.em(), check.monitorId);
  const outcome = outcomeOf(check);
  const counts = monitor && check.target.project === projectOf(monitor.id, monitor.generation);
  if (outcome && monitor && counts && !check.inMaintenance && (await sendsAlerts(context, monitor))) {
    await call(context.bus, "alerts.report", {
      checkId: check.id,
      runId: runToOpen(check),
      startedAt: check.startedAt.toISOString(),
      attempts: check.attempt,
      at: (check.endedAt ?? check.startedAt).toISOString(),
      monitor: alertedMonitor(monitor),
      outcome,
      uncaptured: uncapturedOf(check),
    });
  }
  await markReported(context.em(), check.id);
}

/**
 * Handles the approval of a monitor's run. If it covers all changes of the last check, the monitor recovers at
 * once, and a recovery is reported. During maintenance, the first check after it reports the recovery. Otherwise, or if
 * the report fails, the monitor is checked again at once. The run's state decides, not the event.
 */
export async function noteApproval(context: MonitorsContext, runId: string): Promise<void> {
  const [run] = await call(context.bus, "runs.outcomes", { ids: [runId] });
  const of = run ? monitorOfProject(run.project) : null;
  if (run?.conclusion !== "approved" || !of) return;
  // Read before the last check, so that a check that ends meanwhile is later than this time.
  const at = await databaseTime(context.em());
  const monitor = await findAnyMonitor(context.em(), of.id);
  if (monitor?.status !== "changed" || run.project !== projectOf(monitor.id, monitor.generation)) return;
  const [last] = monitor.lastCheckId === null ? [] : await findChecks(context.em(), [monitor.lastCheckId]);
  // Pages that could not be captured may still be changed.
  if (last && coversLastCheck(last, run) && uncapturedOf(last).length === 0) {
    try {
      return await reportApproval(context, monitor, { last, runId, at });
    } catch (error) {
      context.warn(error, LOG_MESSAGES.approvalNotPublished(runId, monitor.id));
    }
  }
  await scheduleNow(context.em(), monitor.id);
}

function coversLastCheck(
  { runId, latestRunId, outcome, drift }: Check,
  { id, screenshots }: RunOutcome,
): boolean {
  const isOfIt = id === runId || id === latestRunId;
  return isOfIt && outcome === "changed" && coversChange(drift, screenshots ?? []);
}

/**
 * Reports before it updates the monitor. If this node stops in between, the next check finds no problem and has
 * nothing to report.
 */
async function reportApproval(
  context: MonitorsContext,
  monitor: Monitor,
  { last, runId, at }: { last: Check; runId: string; at: Date },
): Promise<void> {
  const isInMaintenance = (await findCurrent(context.em(), [monitor.id])).length > 0;
  if (!isInMaintenance && (await sendsAlerts(context, monitor))) {
    await call(context.bus, "alerts.report", {
      // The check's own id already has a decision.
      checkId: `${last.id}.approved`,
      runId,
      at: at.toISOString(),
      monitor: alertedMonitor(monitor),
      outcome: { kind: "ok" },
      uncaptured: [],
    });
  }
  await markApproved(context.em(), last);
  await publishMonitorsChanged(context.bus, [last]);
}

/** Returns what alerts need to know about a monitor. */
export function alertedMonitor({ id, teamId, name, url, channels }: Monitor): AlertedMonitor {
  return { id, teamId, name, url, channels };
}

async function sendsAlerts(context: MonitorsContext, { teamId, deletedAt }: Monitor): Promise<boolean> {
  return deletedAt === null && (await findTeam(context.em(), teamId))?.scheduled === true;
}

/** Returns null for a check that says nothing about the site. */
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

/**
 * Returns the pages that could not be captured, or whose problem was not confirmed. With regions, these are the pages
 * on which too few regions say anything. A route that was captured at any width, in any state or environment, is up.
 */
function uncapturedOf({ drift, downRoutes, target }: Check): StoredPage[] {
  const verdicts = agreeOnPages(drift, ruleOf(target), seenOf);
  const byRoute = Map.groupBy(verdicts, ({ key }) => key.route);
  return [...byRoute].flatMap(([route, pages]) => {
    if (downRoutes.includes(route)) return [];
    const uncaptured = pages
      .filter(({ kind }) => kind === "unknown" || kind === "down")
      .map(({ key }) => key);
    const whole = uncaptured.length === pages.length ? [{ route, viewport: WHOLE_PAGE }] : [];
    return [...uncaptured, ...whole];
  });
}
