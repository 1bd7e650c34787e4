import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { CheckOutcomeName, CheckView, RecentCheck } from "../../../shared/contracts/monitors/checks.ts";
import type { DriftStretch } from "../../../shared/contracts/monitors/monitor-series.ts";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { monitorOfProject } from "../../../shared/monitor-project.ts";
import { formatDifference } from "../../../shared/report/describe-screenshot.ts";
import { isMinor } from "../../../shared/report/display-status.ts";
import { percent } from "../../../shared/text/format.ts";
import { commonTexts } from "../common.ts";
import { form, number, percentAtMost, plural } from "../format.ts";
import { regionsText } from "./regions.ts";

/** Texts of the list of monitors and a monitor's page. */
export const monitorsTexts = {
  title: "Monitors",
  create: "Create monitor",
  older: "Show older monitors",
  find: "Find a monitor",
  filterTags: "Filter by tag",
  tag: (tag: string) => `#${tag}`,
  noMatch: "No monitor matches this filter.",
  clearFilter: "Show all monitors",
  incidentStarted: "Incident started {time}",
  snoozedUntil: "Snooze ends {time}",
  checked: "Checked {time}",
  checking: "Checking…",
  nextCheck: "Next check {time}",

  emptyForViewers:
    "No monitors yet. A monitor captures a live site on a schedule. It alerts your team when a page changes or the site is down. Reviewers can create monitors.",
  empty: "Monitor a live site",
  emptyAbout:
    "A monitor captures screenshots of your site on a schedule. The first check creates the baselines. Later checks alert your team when a page changes or the site is down.",
  useApi: "Or use the API from a terminal",
  replaceDots: "Replace the dots with an API key of this team:",

  monitor: "Monitor",
  deletedMonitor: "Deleted monitor",
  openMonitor: "Open monitor",
  monitorTitle: "The monitor that ran this check",
  projectTitle: "The baselines of this project",
  goToMonitors: "Go to monitors",
} as const;

export const monitorTexts = {
  viewUsage: "View plan and usage",
  facts: {
    lastCheck: "Last check",
    nextCheck: "Next check",
    schedule: "Schedule",
    uptime: "Uptime",
    lastChange: "Last change",
    incident: "Incident",
    snoozedUntil: "Snooze ends",
    certificate: "Certificate",
    tags: "Tags",
    leftOut: "Hidden or masked",
  },
  noCheck: "None yet",
  notScheduled: "Not scheduled",
  incidentStarted: "Started {time}",
  noIncident: "None",
  uptime: percentAtMost,

  checkRunning: "A check is running.",
  captured: (captured: number, total: number) => `${captured} of ${plural(total, "screenshot")} captured.`,
  confirming: "Capturing failed and changed pages again to confirm the result.",
  comparing: "Comparing screenshots.",
  starting: "Starting.",
  viewRun: "View run",

  runCheck: "Run check",
  checking: "Checking…",
  endSnooze: "End snooze",
  snoozeEnded: "Snooze ended. Alerts are sent again.",
  snooze: "Snooze alerts…",
  snoozeLabel: "Snooze alerts",
  snoozeFor: { hour: "For 1 hour", hours: "For 4 hours", day: "For 1 day", week: "For 1 week" },
  snoozed: "Alerts snoozed. No notifications are sent until the snooze ends.",
  pause: "Pause monitor",
  paused: "Monitor paused. Scheduled checks stop until you resume it.",
  resume: "Resume monitor",
  resumed: "Monitor resumed.",
  edit: "Edit monitor",
  delete: "Delete monitor…",
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteAbout:
    "This deletes the monitor's history and baselines, and closes its open incident. You can't undo this.",
  keep: "Keep monitor",
  confirmDelete: "Delete monitor",
  deleted: (name: string) => `Monitor “${name}” deleted.`,
} as const;

/** Describes a certificate: how long it is valid, or what is wrong. */
export function certificateText({ daysLeft, error }: NonNullable<MonitorView["certificate"]>): string {
  if (daysLeft === null) return error ?? "Not read";
  const words = daysLeft < 0 ? "Expired" : `Valid for ${plural(daysLeft, "day")}`;
  return error === null ? words : `${words} (${error})`;
}

type Status = MonitorView["status"];

/** Current states of monitors. */
export const monitorStatusNames: Record<Status, string> = {
  ok: "Passing",
  changed: "Changed",
  down: "Down",
  establishing: "First check",
  never: "Not checked yet",
};

/** Outcomes of checks. */
export const outcomeNames: Record<CheckOutcomeName, string> = {
  established: "New baseline",
  ok: "Passed",
  changed: "Changed",
  down: "Down",
  failed: "No result",
};
export const CHECK_RUNNING = "Running";

const COUNTED: Record<CheckOutcomeName, string> = {
  down: "down",
  changed: "changed",
  failed: "without a result",
  established: "with new baselines",
  ok: "passed",
};

/** Returns briefly why a monitor isn't scheduled; null if it is. */
export function holdName({ hold, paused }: Pick<MonitorView, "hold" | "paused">): string | null {
  if (hold === "over") return "Read-only";
  if (hold === "plan") return "Not scheduled";
  return paused ? "Paused" : null;
}

/** Returns the same as sentences, with what to do. */
export function holdText(monitor: Pick<MonitorView, "hold" | "paused">, canChange: boolean): string | null {
  if (monitor.hold === "over")
    return "Read-only. Your plan's monitor limit is reached, so this monitor can't be checked or edited. Upgrade the plan or delete older monitors.";
  if (monitor.hold === "plan")
    return "Not scheduled. Scheduled checks and alerts need the Business plan. You can still run checks manually.";
  if (!monitor.paused) return null;
  return canChange ? "Paused. Resume the monitor to run scheduled checks again." : "Paused by your team.";
}

/**
 * Returns a project's name. For a project of a monitor, the monitor's name, with the number of its site if
 * that was changed.
 */
export function projectName(project: string, monitorName: string): string {
  const of = monitorOfProject(project);
  if (of === null) return project;
  return of.generation > 1 ? `${monitorName} (URL ${of.generation})` : monitorName;
}

/** Formats as `Every 30 min`, `Every 6 h`, `Every day`. @param minutes 5–10,080 */
export function intervalText(minutes: number): string {
  if (minutes === 1_440) return "Every day";
  if (minutes === 10_080) return "Every week";
  if (minutes % 1_440 === 0) return `Every ${minutes / 1_440} days`;
  if (minutes % 60 === 0) return minutes === 60 ? "Every hour" : `Every ${minutes / 60} h`;
  return `Every ${minutes} min`;
}

/** Describes the latest checks for screen readers. */
export function recentChecksText(checks: readonly RecentCheck[]): string {
  if (checks.length === 0) return "No checks yet";
  const parts = (["down", "changed", "failed", "established", "ok"] as const).flatMap(outcome => {
    const n = checks.filter(check => check.outcome === outcome).length;
    return n === 0 ? [] : [`${number(n)} ${COUNTED[outcome]}`];
  });
  const most = Math.max(0, ...checks.map(({ ratio }) => ratio ?? 0));
  return `Last ${plural(checks.length, "check")}: ${parts.join(", ")}. Largest difference: ${percent(most)}.`;
}

/** Describes the outcome of the last check in a sentence. */
export function lastCheckText({
  lastCheck: last,
  recentChecks,
}: Pick<MonitorView, "lastCheck" | "recentChecks">): string {
  const most = recentChecks.at(-1)?.ratio ?? null;
  if (!last) return "This site hasn't been checked yet.";
  if (last.error !== null) return last.error;
  if (last.outcome === "changed")
    return `Pages differ from their baselines${most === null ? "" : ` by up to ${percent(most)}`}. A second capture confirmed it.`;
  if (last.outcome === "established") return "The last check created the baselines.";
  const regions = regionsText(last);
  if (regions !== "") return regions;
  if (most !== null && isMinor(last.outcome === "ok", most))
    return `Minor changes only: up to ${percent(most)}, within the alert threshold.`;
  if (last.faintPixels > 0)
    return `Minor changes only: up to ${formatDifference({ ...NO_PIXELS, faintPixels: last.faintPixels })}.`;
  return "All pages match their baselines.";
}

/** No pixels changed visibly. */
const NO_PIXELS = { diffRatio: 0, diffPixels: null };

/** Describes a check's result in a line, the page with the largest difference first. */
export function checkText({ error, drift, outcome }: Pick<CheckView, "error" | "drift" | "outcome">): string {
  if (outcome === null) return CHECK_RUNNING;
  if (error !== null) return error;
  const [worst] = drift.toSorted((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0) || b.faintPixels - a.faintPixels);
  if (!worst) return "No pages were compared.";
  const most = formatDifference({ ...NO_PIXELS, diffRatio: worst.ratio, faintPixels: worst.faintPixels });
  const changed = drift.filter(({ state }) => state === "changed").length;
  if (changed > 0) {
    const others = changed > 1 ? `, and ${plural(changed - 1, "more page")} changed` : "";
    return `${commonTexts.pageAt({ ...worst, state: worst.stateName })} differs by ${most}${others}`;
  }
  const minor = drift.filter(page => page.minor).length;
  const same = drift.length - minor;
  const verb =
    outcome === "established" ? "captured" : form(same, "matches its baseline", "match their baselines");
  const matching = `${plural(same, "page")} ${verb}`;
  if (minor === 0) return matching;
  const changes = `${plural(minor, "minor change")}, ${minor > 1 ? "up to " : ""}${most}`;
  return same > 0 ? `${matching}, ${changes}` : changes;
}

export const checksTexts = {
  title: "Checks",
  latest: "Latest checks, oldest first",
  latestCheck: (time: string, outcome: string) => `${time}: ${outcome}`,
  empty: "No checks yet. They appear here after the first check.",
  older: "Show older checks",
  sameAsAbove: "Same result as above",
  maintenance: "During maintenance",
  kinds: { manual: "Manual", scheduled: "Scheduled" },
  attempts: (attempts: number) => plural(attempts, "attempt"),
  openRun: "Open run",
  openReport: "Open report",
} as const;

/** Texts of the chart, its table, and its legend. */
export const chartTexts = {
  title: "Difference from baseline",
  range: "Time range",
  ranges: { 1: "1 day", 7: "7 days", 30: "30 days", 90: "90 days" },
  noneInRange: "No checks in this time range. Choose a longer one.",
  noneYet: "No checks yet. The first check creates the baselines.",
  page: "Page",
  label: (page: ScreenshotKey) => `Difference of ${commonTexts.pageAt(page)} over time`,
  point: "{time} · {difference} on {page} · {checks}",
  pointText: (time: string, difference: string, checks: string) => `${time}: ${difference}; ${checks}`,
  openRun: "Open this run",
  notCompared: "Not compared",
  noDifference: "–",
  zero: "0",

  showTable: "Show as table",
  tableLabel: "Chart data",
  caption: (page: ScreenshotKey) => `Difference of ${commonTexts.pageAt(page)}, newest first`,
  columns: { time: "Time", difference: "Difference", checks: "Checks" },

  threshold: "Threshold",
  alertKinds: { changed: "Change alert", down: "Downtime alert", recovered: "Recovered" },
  snoozed: "Snoozed",
  maintenance: "Maintenance",
  down: "Down",
} as const;

/** Formats as `12 checks, 2 changed, 1 down`; for a single check as its outcome. */
export function stretchText({ checks, changed, down, failed }: DriftStretch): string {
  const found = [
    { n: changed, word: COUNTED.changed },
    { n: down, word: COUNTED.down },
    { n: failed, word: COUNTED.failed },
  ].filter(({ n }) => n > 0);
  if (checks === 1) return found[0]?.word ?? COUNTED.ok;
  const parts = found.map(({ n, word }) => `${number(n)} ${word}`);
  return [plural(checks, "check"), ...(parts.length > 0 ? parts : ["all passed"])].join(", ");
}

export const latestScreenshotTexts = {
  title: "Latest screenshot",
  runDeleted: "The run of the last check was deleted.",
  notRetried: (page: string) =>
    `${page} passed the last check. Its last attempt captured only pages that had failed or changed.`,
  compare: "Compare screenshots",
  baseline: "Baseline",
  noBaseline: "No baseline yet.",
  firstBaseline: "None before. The latest screenshot is the baseline.",
  latest: "Latest screenshot",
  notCaptured: "The page was not captured.",
  sideOf: (side: string, page: string) => `${side} of ${page}`,
} as const;
