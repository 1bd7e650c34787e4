import type { CaptureEngine } from "../check/capture-engine.ts";
import type { HistoryEntry, Outcome } from "./history-entry.ts";
import type { MonitorPlan, Target } from "./monitor-plan.ts";
import { type AlertReport, sendAlert } from "./send-alert.ts";
import { beginHistory } from "./url-history.ts";
import { watchUrl } from "./watch-url.ts";

/** What one run found: the body of `vrs monitor --json`. */
export interface MonitorRun {
  version: 1;
  /** ISO 8601, UTC. */
  startedAt: string;
  durationMs: number;
  /** Fraction of changed pixels that was still no drift. */
  threshold: number;
  /** The gravest outcome of its URLs. */
  outcome: Outcome;
  /** One for each URL, in their order. */
  entries: HistoryEntry[];
  /** Null without a webhook. */
  alert: AlertReport | null;
  /** Absolute path of the history. */
  historyDir: string;
}

export interface RunOptions {
  engine: CaptureEngine;
  /** URLs at once. */
  concurrency: number;
  confirms: boolean;
  accepts: boolean;
  keepsAll: boolean;
  /** Ends the run, which then counts for nothing. */
  signal?: AbortSignal;
  /** Ends the waits for a receiver; the run itself goes on to its end. */
  stopping: AbortSignal;
  onEntry?: (entry: HistoryEntry) => void;
}

const GRAVEST: Outcome[] = ["down", "changed", "failed", "established", "ok"];

/** Looks at every URL once, writes down what it found, and tells the receiver what is news. */
export async function runMonitor(plan: MonitorPlan, options: RunOptions): Promise<MonitorRun> {
  const at = new Date();
  const begun = performance.now();
  await beginHistory(plan.historyDir);
  const entries = await watchAll(plan, options, at);
  const alert =
    plan.webhook === null
      ? null
      : await sendAlert(entries, { ...plan, webhook: plan.webhook, stopping: options.stopping });
  return {
    version: 1,
    startedAt: at.toISOString(),
    durationMs: Math.round(performance.now() - begun),
    threshold: plan.threshold,
    outcome: GRAVEST.find(outcome => entries.some(entry => entry.outcome === outcome)) ?? "ok",
    entries,
    alert,
    historyDir: plan.historyDir,
  };
}

/** A few at once, in the order of the plan. */
async function watchAll(plan: MonitorPlan, options: RunOptions, at: Date): Promise<HistoryEntry[]> {
  const { engine, confirms, accepts, keepsAll, onEntry } = options;
  const { signal = new AbortController().signal } = options;
  const { historyDir, threshold, targets } = plan;
  const how = { engine, historyDir, at, threshold, confirms, accepts, keepsAll, signal };
  const entries = new Map<Target, HistoryEntry>();
  const waiting = [...targets];
  const work = async () => {
    for (let target = waiting.shift(); target; target = waiting.shift()) {
      const entry = await watchUrl(target, how);
      entries.set(target, entry);
      onEntry?.(entry);
    }
  };
  const workers = Array.from({ length: Math.min(options.concurrency, targets.length) }, work);
  // All of them have ended before anything is thrown: nothing is written after that.
  const [fault] = (await Promise.allSettled(workers)).filter(({ status }) => status === "rejected");
  if (fault?.status === "rejected") throw fault.reason;
  return targets.flatMap(target => entries.get(target) ?? []);
}
