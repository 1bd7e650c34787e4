import { availableParallelism } from "node:os";
import { asError } from "../../shared/errors.ts";
import { timeOfDay } from "../../shared/text/dates.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { BrowserLocation } from "../browser-location.ts";
import { CaptureEngine } from "../check/capture-engine.ts";
import type { Logins } from "../check/read-logins.ts";
import type { CommandContext } from "../commands/command.ts";
import { LiveLines } from "../output/live-lines.ts";
import { EXIT, type ExitCode, painter, toJson } from "../terminal.ts";
import { MONITOR_TEXTS } from "../texts/monitor.ts";
import { alertLine, entryLines, summaryLine } from "./format-run.ts";
import type { HistoryEntry } from "./history-entry.ts";
import { pruneHistory } from "./list-history.ts";
import type { MonitorPlan } from "./monitor-plan.ts";
import type { Keeps } from "./prune-rule.ts";
import { type RoundSchedule, runRounds } from "./rounds.ts";
import { type MonitorRun, type RunOptions, runMonitor } from "./run-monitor.ts";

/** Default limit of concurrent pages. The machine has other work. */
const MAX_CONCURRENCY = 4;
/**
 * Pause of `--watch` between two checks. It is short enough to follow a change, and leaves the page time for other
 * requests.
 */
const WATCH_PAUSE_MS = 2_000;

export interface MonitorOptions {
  plan: MonitorPlan;
  logins: Logins;
  browser: BrowserLocation;
  /** Concurrent pages. Null for one per core, at most four. */
  concurrency: number | null;
  /** Whether the screenshots become the baselines. */
  accepts: boolean;
  /** Whether the history stores only runs whose result differs from the run before. */
  keepsChangesOnly: boolean;
  /** Prunes the history after each check. */
  prune: ((now: Date) => Keeps) | null;
}

/** Checks all pages once. @returns exit code 1 for changes, 2 if a page is down or can't be captured */
export async function monitorOnce(context: CommandContext, options: MonitorOptions): Promise<ExitCode> {
  const { signal } = context.terminal;
  return withEngine(options, async engine => {
    const lines = showProgress(context, options.plan);
    const settings = { ...runOptions(context, options), engine, signal, onEntry: lines.onEntry };
    const run = await runMonitor(options.plan, settings).finally(lines.end);
    printRun(context, run, { isRound: false });
    if (run.outcome === "down" || run.outcome === "failed") return EXIT.error;
    return run.outcome === "changed" ? EXIT.changed : EXIT.ok;
  });
}

/**
 * Checks all pages repeatedly until the process is asked to stop, and then finishes the current round. An error in
 * the first round is thrown. Later errors are printed, and the next round runs as usual.
 */
export async function monitorAlways(
  context: CommandContext,
  options: MonitorOptions,
  mode: { intervalMinutes: number } | "watch",
): Promise<ExitCode> {
  const { terminal, options: globalOptions } = context;
  const isWatch = mode === "watch";
  const schedule: RoundSchedule = isWatch
    ? { pauseMs: WATCH_PAUSE_MS }
    : { everyMs: mode.intervalMinutes * 60_000 };
  if (!globalOptions.quiet && !globalOptions.json) terminal.err(`${startMessage(options.plan, mode)}\n`);
  let isFirst = true;
  let before = "";
  await withEngine(options, async engine => {
    const round = async () => {
      const settings = { ...runOptions(context, options), engine, accepts: options.accepts && isFirst };
      const run = await runMonitor(options.plan, { ...settings, confirms: !isWatch });
      const summary = JSON.stringify(
        run.entries.map(({ outcome, shots }) => [outcome, shots.map(({ hash }) => hash)]),
      );
      if (!isWatch || summary !== before) printRun(context, run, { isRound: true });
      before = summary;
      if (options.prune)
        await pruneHistory(
          options.plan.historyDir,
          options.plan.targets.map(({ url }) => url),
          options.prune(new Date()),
        );
    };
    const roundWithRetry = () =>
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
    await runRounds(schedule, terminal.signal, roundWithRetry, nextAt => {
      if (globalOptions.verbose && !isWatch) terminal.err(`${MONITOR_TEXTS.nextCheck(timeOfDay(nextAt))}\n`);
    });
  });
  return EXIT.ok;
}

/** Shows the progress of a check in an interactive terminal. */
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

function startMessage(
  { targets, threshold }: MonitorPlan,
  mode: { intervalMinutes: number } | "watch",
): string {
  return MONITOR_TEXTS.begin(targets.length, mode === "watch" ? null : mode.intervalMinutes, threshold);
}

function runOptions(
  { terminal }: CommandContext,
  { logins, concurrency, accepts, keepsChangesOnly }: MonitorOptions,
): Omit<RunOptions, "engine"> {
  return {
    logins,
    concurrency: concurrency ?? Math.min(MAX_CONCURRENCY, availableParallelism()),
    confirms: true,
    accepts,
    keepsAll: !keepsChangesOnly,
    stopping: terminal.signal,
  };
}

async function withEngine<T>(
  { browser }: MonitorOptions,
  work: (engine: CaptureEngine) => Promise<T>,
): Promise<T> {
  const engine = new CaptureEngine({ ...browser, pages: MAX_CONCURRENCY });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

function printRun(
  { terminal, options }: CommandContext,
  run: MonitorRun,
  { isRound }: { isRound: boolean },
): void {
  if (options.json) {
    // Each round is one line of JSON.
    terminal.out(`${toJson(run, isRound ? 0 : 2)}\n`);
    return;
  }
  const paint = painter(terminal);
  const isNotable = ({ outcome, shots }: HistoryEntry) =>
    (outcome !== "ok" && outcome !== "established") ||
    (options.verbose && shots.some(({ notes }) => notes.length > 0));
  const shown = run.entries.filter(entry => (isRound || options.quiet ? isNotable(entry) : true));
  const location = { historyDir: run.historyDir, cwd: terminal.cwd };
  const prefix = isRound ? `${paint("dim", timeOfDay(new Date(run.startedAt)))}  ` : "";
  const found = shown.flatMap(entry => entryLines(entry, paint, location));
  const summary = options.quiet ? [] : [`${prefix}${summaryLine(run, paint)}`];
  // In a log of many rounds, the time comes first.
  const lines = isRound ? [...summary, ...found] : [...found, ...summary];
  if (lines.length > 0) terminal.out(`${lines.join("\n")}\n`);
  const alert = alertLine(run, paint);
  const isFailure = run.alert?.error !== null && run.alert !== null;
  if (alert !== null && isFailure) terminal.err(`${alert}\n`);
  else if (alert !== null && !options.quiet) terminal.out(`${alert}\n`);
}
