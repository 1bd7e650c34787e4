import { join, relative } from "node:path";
import { isMinor } from "../../shared/report/minor.ts";
import { count, limitInWords, percent, percentBeside } from "../../shared/report/words.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { Paint } from "../output/paint.ts";
import { driftOf, type HistoryEntry, type HistoryShot, type Outcome } from "./history-entry.ts";
import type { HistoryList } from "./list-history.ts";
import type { MonitorRun } from "./run-monitor.ts";
import { UrlHistory } from "./url-history.ts";

/** What was found of a URL: its outcome, but for minor changes, which are no drift. */
type Finding = Outcome | "minor";

function findingOf(entry: HistoryEntry): Finding {
  return isMinor(entry.outcome === "ok", driftOf(entry)) ? "minor" : entry.outcome;
}

const MARKS: Record<Finding, { mark: string; style: Parameters<Paint>[0] }> = {
  ok: { mark: "✓", style: "green" },
  minor: { mark: "≈", style: "yellow" },
  established: { mark: "+", style: "blue" },
  changed: { mark: "±", style: "yellow" },
  down: { mark: "✗", style: "red" },
  failed: { mark: "!", style: "red" },
};

/** Where files are, and from where they are named. */
interface Place {
  historyDir: string;
  cwd: string;
}

/** What was found of one URL: a line, and below it what is to be known of each width that is not fine. */
export function entryLines(entry: HistoryEntry, paint: Paint, place: Place): string[] {
  const { mark, style } = MARKS[findingOf(entry)];
  const widths = entry.shots.map(({ viewport }) => viewport).join(", ");
  const gist = entry.outcome === "ok" || entry.outcome === "established" ? ` · ${widths} px` : "";
  return [
    `${paint(style, mark)} ${visibleLine(entry.url)}${gist && paint("dim", gist)} · ${saying(entry)}`,
    ...entry.shots.flatMap(shot => shotLines(entry, shot, paint, place)),
  ];
}

/** The whole in a line. */
export function verdictLine({ entries, outcome, durationMs }: MonitorRun, paint: Paint): string {
  const tally = (["down", "failed", "changed", "established", "minor", "ok"] as const)
    .map(each => ({ each, many: entries.filter(entry => findingOf(entry) === each).length }))
    .filter(({ many }) => many > 0)
    .map(({ each, many }) => `${many} ${TALLIED[each] ?? WORDS[each]}`)
    .join(", ");
  const { mark, style } = MARKS[outcome];
  return `${paint(style, `${mark} ${tally}`)} ${paint("dim", `· ${(durationMs / 1000).toFixed(1)} s`)}`;
}

/** Whom it was told, or why nobody; null where there is nothing to say. */
export function alertLine({ alert }: MonitorRun, paint: Paint): string | null {
  if (alert === null || alert.decision === "none") return null;
  if (alert.decision === "repeated") return paint("dim", "The same was alerted before: no alert.");
  const what = alert.decision === "recovered" ? "The recovery" : "The alert";
  if (alert.sent) return `${what} was sent.`;
  return paint(
    "red",
    `${what} could not be sent: ${visibleLine(alert.error ?? "").replace(/[^.!?]$/, "$&.")} The next look tries again.`,
  );
}

/** The history as a table, newest first. */
export function historyLines({ entries, unreadable }: HistoryList, paint: Paint): string[] {
  const rows = entries.map(entry => ({
    entry,
    at: entry.at.replace("T", " ").replace(/\.\d+Z$/, " UTC"),
    drift: driftInWords(driftOf(entry)),
  }));
  const width = Math.max(0, ...rows.map(({ drift }) => drift.length));
  return [
    ...rows.map(({ entry, at, drift }) => {
      const { mark, style } = MARKS[findingOf(entry)];
      const word = WORDS[findingOf(entry)].padEnd(11);
      return `${paint("dim", at)}  ${paint(style, `${mark} ${word}`)}  ${drift.padStart(width)}  ${visibleLine(entry.url)}`;
    }),
    ...(unreadable > 0
      ? [
          paint(
            "yellow",
            `${count(unreadable, "file")} of the history cannot be read, and ${unreadable === 1 ? "was" : "were"} left out.`,
          ),
        ]
      : []),
  ];
}

const TALLIED: Partial<Record<Finding, string>> = { ok: "without drift", minor: "with minor changes" };

const WORDS: Record<Finding, string> = {
  ok: "ok",
  minor: "minor",
  established: "established",
  changed: "drifted",
  down: "down",
  failed: "not seen",
};

function saying(entry: HistoryEntry): string {
  const drift = driftOf(entry);
  if (entry.outcome === "established") return "this is the baseline from now on";
  if (entry.outcome === "down") return "down";
  if (entry.outcome === "failed") return "could not be looked at";
  if (entry.outcome === "ok")
    return drift === 0 || drift === null
      ? "no drift"
      : `minor change of ${percentBeside(drift, entry.threshold)}, within ${limitInWords(entry.threshold)}`;
  const by = drift === null ? "–" : percentBeside(drift, entry.threshold);
  return `drifted by ${by}, more than ${limitInWords(entry.threshold)}`;
}

function shotLines(
  { url }: HistoryEntry,
  shot: HistoryShot,
  paint: Paint,
  { historyDir, cwd }: Place,
): string[] {
  const at = `    ${shot.viewport} px`;
  const notes = shot.notes.map(note => paint("dim", `${at}  ${visibleLine(note)}`));
  if (shot.error !== null)
    return [
      `${at}  ${visibleLine(shot.error)} Tried ${shot.looks === 1 ? "once" : `${shot.looks} times`}.`,
      ...notes,
    ];
  if (shot.state !== "changed") return notes;
  const { folder } = UrlHistory.of(historyDir, url);
  const pathOf = (image: string | null) => (image === null ? "" : relative(cwd, join(folder, image)));
  return [
    `${at}  ${driftInWords(shot.diffRatio)}`,
    ...(["current", "diff"] as const).map(name =>
      paint("dim", `      ${name.padEnd(7)}  ${pathOf(shot.images[name])}`),
    ),
    ...notes,
  ];
}

function driftInWords(ratio: number | null): string {
  return ratio === null ? "–" : percent(ratio);
}
