import { join, relative } from "node:path";
import { isMinor } from "../../shared/report/display-status.ts";
import { percent, percentBeside } from "../../shared/text/format.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { Paint } from "../terminal.ts";
import { ALERT_TEXTS, HISTORY_TEXTS, MONITOR_TEXTS as TEXTS } from "../texts/monitor.ts";
import { driftOf, type HistoryEntry, type HistoryShot, type Outcome } from "./history-entry.ts";
import type { HistoryList } from "./list-history.ts";
import type { MonitorRun } from "./run-monitor.ts";
import { UrlHistory } from "./url-history.ts";

/** Width of the longest result in the history. */
const RESULT_WIDTH = Math.max(...Object.values(TEXTS.results).map(({ length }) => length));

/** The outcome of a URL, with minor changes as a separate result. */
type EntryResult = Outcome | "minor";

function resultOf(entry: HistoryEntry): EntryResult {
  return isMinor(entry.outcome === "ok", driftOf(entry)) ? "minor" : entry.outcome;
}

const MARKS: Record<EntryResult, { mark: string; style: Parameters<Paint>[0] }> = {
  ok: { mark: "✓", style: "green" },
  minor: { mark: "≈", style: "yellow" },
  established: { mark: "+", style: "blue" },
  changed: { mark: "±", style: "yellow" },
  down: { mark: "✗", style: "red" },
  failed: { mark: "!", style: "red" },
};

/** The history's folder, and the folder that shown paths are relative to. */
interface FileLocation {
  historyDir: string;
  cwd: string;
}

/** Returns the result of one URL as a line, with details below it for each screenshot that is not ok. */
export function entryLines(entry: HistoryEntry, paint: Paint, location: FileLocation): string[] {
  const { mark, style } = MARKS[resultOf(entry)];
  const widths = [...new Set(entry.shots.map(({ viewport }) => viewport))].join(", ");
  const gist = entry.outcome === "ok" || entry.outcome === "established" ? ` · ${widths} px` : "";
  return [
    `${paint(style, mark)} ${visibleLine(entry.url)}${gist && paint("dim", gist)} · ${describeResult(entry)}`,
    ...entry.shots.flatMap(shot => shotLines(entry, shot, paint, location)),
  ];
}

/** Returns the summary of a run in one line. */
export function summaryLine({ entries, outcome, durationMs }: MonitorRun, paint: Paint): string {
  const tally = (["down", "failed", "changed", "established", "minor", "ok"] as const)
    .map(each => ({ each, many: entries.filter(entry => resultOf(entry) === each).length }))
    .filter(({ many }) => many > 0)
    .map(({ each, many }) => `${many} ${TEXTS.counted[each]}`)
    .join(", ");
  const { mark, style } = MARKS[outcome];
  return `${paint(style, `${mark} ${tally}`)} ${paint("dim", `· ${(durationMs / 1000).toFixed(1)} s`)}`;
}

/** Returns the result of the alert. Null if there was none. */
export function alertLine({ alert }: MonitorRun, paint: Paint): string | null {
  if (alert === null || alert.decision === "none") return null;
  if (alert.decision === "repeated") return paint("dim", ALERT_TEXTS.repeated);
  const kind = alert.decision === "recovered" ? "recovery" : "alert";
  if (alert.sent) return ALERT_TEXTS.sent[kind];
  return paint("red", ALERT_TEXTS.notSent[kind](visibleLine(alert.error ?? "").replace(/[^.!?]$/, "$&.")));
}

/** Returns the history as a table, newest first. */
export function historyLines({ entries, unreadable }: HistoryList, paint: Paint): string[] {
  const rows = entries.map(entry => ({
    entry,
    at: entry.at.replace("T", " ").replace(/\.\d+Z$/, " UTC"),
    drift: formatDrift(driftOf(entry)),
  }));
  const width = Math.max(0, ...rows.map(({ drift }) => drift.length));
  return [
    ...rows.map(({ entry, at, drift }) => {
      const { mark, style } = MARKS[resultOf(entry)];
      const word = TEXTS.results[resultOf(entry)].padEnd(RESULT_WIDTH);
      return `${paint("dim", at)}  ${paint(style, `${mark} ${word}`)}  ${drift.padStart(width)}  ${visibleLine(entry.url)}`;
    }),
    ...(unreadable > 0 ? [paint("yellow", HISTORY_TEXTS.unreadable(unreadable))] : []),
  ];
}

function describeResult(entry: HistoryEntry): string {
  const drift = driftOf(entry);
  if (entry.outcome === "established") return TEXTS.established;
  if (entry.outcome === "down") return TEXTS.down;
  if (entry.outcome === "failed") return TEXTS.notChecked;
  if (entry.outcome === "ok")
    return drift === 0 || drift === null
      ? TEXTS.unchanged
      : TEXTS.minor(percentBeside(drift, entry.threshold), entry.threshold);
  const by = drift === null ? "–" : percentBeside(drift, entry.threshold);
  return TEXTS.changed(by, entry.threshold);
}

function shotLines(
  { url }: HistoryEntry,
  shot: HistoryShot,
  paint: Paint,
  { historyDir, cwd }: FileLocation,
): string[] {
  const at = `    ${visibleLine(TEXTS.screenshot({ ...shot, state: shot.stateName }))}`;
  const notes = shot.notes.map(note => paint("dim", `${at}  ${visibleLine(note)}`));
  if (shot.error !== null)
    return [`${at}  ${visibleLine(shot.error)} ${TEXTS.attempts(shot.looks)}`, ...notes];
  if (shot.state !== "changed") return notes;
  const { folder } = UrlHistory.of(historyDir, url);
  const pathOf = (image: string | null) => (image === null ? "" : relative(cwd, join(folder, image)));
  return [
    `${at}  ${formatDrift(shot.diffRatio)}`,
    ...(["current", "diff"] as const).map(name =>
      paint("dim", `      ${TEXTS.images[name].padEnd(4)}  ${pathOf(shot.images[name])}`),
    ),
    ...notes,
  ];
}

function formatDrift(ratio: number | null): string {
  return ratio === null ? "–" : percent(ratio);
}
