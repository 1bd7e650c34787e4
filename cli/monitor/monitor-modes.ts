import { availableParallelism } from "node:os";
import { asError } from "../../shared/errors.ts";
import { timeOfDay } from "../../shared/text/dates.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { BrowserLocation } from "../browser-location.ts";
import { CaptureEngine } from "../check/capture-engine.ts";
import type { CommandContext } from "../commands/command.ts";
import { LiveLines } from "../output/live-lines.ts";
import { EXIT, type ExitCode, painter, toJson } from "../terminal.ts";
import { MONITOR_TEXTS } from "../texts/monitor.ts";
import type { HistoryEntry } from "./history-entry.ts";
import { pruneHistory } from "./list-history.ts";
import type { MonitorPlan } from "./monitor-plan.ts";
import type { Keeps } from "./prune-rule.ts";
import { goRound, type Rhythm } from "./rounds.ts";
import { type MonitorRun, type RunOptions, runMonitor } from "./run-monitor.ts";
import { alertLine, entryLines, verdictLine } from "./tell-run.ts";

/** Pages at once: a machine that watches has other work. */
const MOST_AT_ONCE = 4;
/** Most looks find nothing to compare. */
const COMPARING_THREADS = 1;
/** Between two looks of a watch: as quick as the eye, and the page has time to answer somebody else. */
const WATCH_PAUSE_MS = 2_000;

export interface MonitorOptions {
  plan: MonitorPlan;
  browser: BrowserLocation;
  /** Null: cores, four at most. */
  concurrency: number | null;
  /** What is seen becomes the baseline. */
  accepts: boolean;
  /** Whether the history stores only runs that found something else than the run before them. */
  keepsChangesOnly: boolean;
  /** Prunes the history after each round. */
  prune: ((now: Date) => Keeps) | null;
}

/** Looks once. @returns 1 when something drifted, 2 when a page could not be looked at */
export async function monitorOnce(context: CommandContext, options: MonitorOptions): Promise<ExitCode> {
  const { signal } = context.terminal;
  return withLooker(options, async engine => {
    const lines = showProgress(context, options.plan);
    const how = { ...usual(context, options), engine, signal, onEntry: lines.onEntry };
    const run = await runMonitor(options.plan, how).finally(lines.end);
    tell(context, run, { isRound: false });
    if (run.outcome === "down" || run.outcome === "failed") return EXIT.error;
    return run.outcome === "changed" ? EXIT.changed : EXIT.ok;
  });
}

/**
 * Looks again and again until the process is asked to end, which it does once the round that is under way is over. What
 * goes wrong in the first round is thrown; later it is told, and the next round tries again.
 */
export async function monitorAlways(
  context: CommandContext,
  options: MonitorOptions,
  mode: { intervalMinutes: number } | "watch",
): Promise<ExitCode> {
  const { terminal, options: said } = context;
  const isWatch = mode === "watch";
  const rhythm: Rhythm = isWatch ? { pauseMs: WATCH_PAUSE_MS } : { everyMs: mode.intervalMinutes * 60_000 };
  if (!said.quiet && !said.json) terminal.err(`${beginning(options.plan, mode)}\n`);
  let isFirst = true;
  let before = "";
  await withLooker(options, async engine => {
    const round = async () => {
      const how = { ...usual(context, options), engine, accepts: options.accepts && isFirst };
      const run = await runMonitor(options.plan, { ...how, confirms: !isWatch });
      const gist = JSON.stringify(
        run.entries.map(({ outcome, shots }) => [outcome, shots.map(({ hash }) => hash)]),
      );
      if (!isWatch || gist !== before) tell(context, run, { isRound: true });
      before = gist;
      if (options.prune)
        await pruneHistory(
          options.plan.historyDir,
          options.plan.targets.map(({ url }) => url),
          options.prune(new Date()),
        );
    };
    const patientRound = () =>
      round()
        .catch((error: unknown) => {
          if (isFirst) throw error;
          terminal.err(
            `${timeOfDay(new Date())}  ${MONITOR_TEXTS.checkFailed(visibleLine(asError(error).message))}\n`,
          );
        })
        .finally(() => {
          isFirst = false;
        });
    await goRound(rhythm, terminal.signal, patientRound, nextAt => {
      if (said.verbose && !isWatch) terminal.err(`${MONITOR_TEXTS.nextCheck(timeOfDay(nextAt))}\n`);
    });
  });
  return EXIT.ok;
}

/** How far a look is, where a person sits before it. */
function showProgress({ terminal, options }: CommandContext, { targets }: MonitorPlan) {
  if (!terminal.isInteractive || options.quiet || options.json) return { onEntry() {}, end() {} };
  const lines = new LiveLines(terminal);
  let done = 0;
  const show = () => lines.show([MONITOR_TEXTS.progress(done, targets.length)]);
  show();
  return {
    onEntry() {
      done += 1;
      show();
    },
    end: () => lines.clear(),
  };
}

function beginning({ targets, threshold }: MonitorPlan, mode: { intervalMinutes: number } | "watch"): string {
  return MONITOR_TEXTS.begin(targets.length, mode === "watch" ? null : mode.intervalMinutes, threshold);
}

function usual(
  { terminal }: CommandContext,
  { concurrency, accepts, keepsChangesOnly }: MonitorOptions,
): Omit<RunOptions, "engine"> {
  return {
    concurrency: concurrency ?? Math.min(MOST_AT_ONCE, availableParallelism()),
    confirms: true,
    accepts,
    keepsAll: !keepsChangesOnly,
    stopping: terminal.signal,
  };
}

async function withLooker<T>(
  { browser }: MonitorOptions,
  work: (engine: CaptureEngine) => Promise<T>,
): Promise<T> {
  const engine = new CaptureEngine({ ...browser, threads: COMPARING_THREADS });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

function tell(
  { terminal, options }: CommandContext,
  run: MonitorRun,
  { isRound }: { isRound: boolean },
): void {
  if (options.json) {
    // Of many rounds each is a line.
    terminal.out(`${toJson(run, isRound ? 0 : 2)}\n`);
    return;
  }
  const paint = painter(terminal);
  const isWorth = ({ outcome, shots }: HistoryEntry) =>
    (outcome !== "ok" && outcome !== "established") ||
    (options.verbose && shots.some(({ notes }) => notes.length > 0));
  const shown = run.entries.filter(entry => (isRound || options.quiet ? isWorth(entry) : true));
  const place = { historyDir: run.historyDir, cwd: terminal.cwd };
  const prefix = isRound ? `${paint("dim", timeOfDay(new Date(run.startedAt)))}  ` : "";
  const found = shown.flatMap(entry => entryLines(entry, paint, place));
  const verdict = options.quiet ? [] : [`${prefix}${verdictLine(run, paint)}`];
  // In a log of many rounds the time comes first.
  const lines = isRound ? [...verdict, ...found] : [...found, ...verdict];
  if (lines.length > 0) terminal.out(`${lines.join("\n")}\n`);
  const alert = alertLine(run, paint);
  const isFailure = run.alert?.error !== null && run.alert !== null;
  if (alert !== null && isFailure) terminal.err(`${alert}\n`);
  else if (alert !== null && !options.quiet) terminal.out(`${alert}\n`);
}
