import type { CaptureEngine } from "../check/capture-engine.ts";
import type { Logins } from "../check/read-logins.ts";
import { checkUrl } from "./check-url.ts";
import type { HistoryEntry, Outcome } from "./history-entry.ts";
import type { MonitorPlan, Target } from "./monitor-plan.ts";
import { type AlertReport, sendAlert } from "./send-alert.ts";
import { createHistory } from "./url-history.ts";

/** The result of one run: the output of `vrs monitor --json`. */
export interface MonitorRun {
  version: 1;
  /** ISO 8601, UTC. */
  startedAt: string;
  durationMs: number;
  /** Share of changed pixels up to which a page counted as unchanged, 0–1. */
  threshold: number;
  /** The most severe outcome of its URLs. */
  outcome: Outcome;
  /** One entry per URL, in their order. */
  entries: HistoryEntry[];
  /** Null without a webhook. */
  alert: AlertReport | null;
  /** Absolute path of the history. */
  historyDir: string;
}

export interface RunOptions {
  engine: CaptureEngine;
  logins: Logins;
  /** Concurrent URLs. */
  concurrency: number;
  confirms: boolean;
  accepts: boolean;
  keepsAll: boolean;
  /** Aborts the run, which then has no result. */
  signal?: AbortSignal;
  /** Aborts the waits for a receiver. The run itself continues to its end. */
  stopping: AbortSignal;
  onEntry?: (entry: HistoryEntry) => void;
}

const BY_SEVERITY: Outcome[] = ["down", "changed", "failed", "established", "ok"];

/** Checks every URL once, stores the results, and sends a due alert. */
export async function runMonitor(plan: MonitorPlan, options: RunOptions): Promise<MonitorRun> {
  const at = new Date();
  const startedAt = performance.now();
  await createHistory(plan.historyDir);
  const entries = await checkAll(plan, options, at);
  const alert =
    plan.webhook === null
      ? null
      : await sendAlert(entries, { ...plan, webhook: plan.webhook, stopping: options.stopping });
  return {
    version: 1,
    startedAt: at.toISOString(),
    durationMs: Math.round(performance.now() - startedAt),
    threshold: plan.threshold,
    outcome: BY_SEVERITY.find(outcome => entries.some(entry => entry.outcome === outcome)) ?? "ok",
    entries,
    alert,
    historyDir: plan.historyDir,
  };
}

/** Checks the URLs concurrently, in the order of the plan. */
async function checkAll(plan: MonitorPlan, options: RunOptions, at: Date): Promise<HistoryEntry[]> {
  const { engine, logins, confirms, accepts, keepsAll, onEntry } = options;
  const { signal = new AbortController().signal } = options;
  const { historyDir, threshold, targets } = plan;
  const checkOptions = { engine, logins, historyDir, at, threshold, confirms, accepts, keepsAll, signal };
  const entries = new Map<Target, HistoryEntry>();
  const waiting = [...targets];
  const work = async () => {
    for (let target = waiting.shift(); target; target = waiting.shift()) {
      const entry = await checkUrl(target, checkOptions);
      entries.set(target, entry);
      onEntry?.(entry);
    }
  };
  const workers = Array.from({ length: Math.min(options.concurrency, targets.length) }, work);
  // All workers end before an error is thrown, so that nothing is written after it.
  const [failure] = (await Promise.allSettled(workers)).filter(({ status }) => status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
  return targets.flatMap(target => entries.get(target) ?? []);
}
