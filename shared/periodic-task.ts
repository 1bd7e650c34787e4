import { endsWithin } from "./async.ts";
import { keepScope } from "./tracing/work-scope.ts";

/** A task that a node repeats. */
export interface PeriodicTask {
  intervalMs: number;
  /** Delay of the first run. One interval by default. */
  firstDelayMs?: number;
  /** Runs the task. It ends early when the signal aborts, because the node stops. */
  work(signal: AbortSignal): Promise<unknown>;
  /** The message logged with a failure. */
  failed: string;
}

/** A periodic task that was started. */
export interface StartedTask {
  /** Runs the task now, or once more if it is running. */
  wake(): void;
  /** Stops the task. @returns when it no longer runs */
  stop(): Promise<void>;
}

type Warn = (error: unknown, what: string) => void;

/**
 * Longer than a task needs to end after its signal. A stopping node doesn't wait for tasks that ignore it.
 */
const STOP_TIMEOUT_MS = 5_000;

/**
 * Starts a periodic task. It never runs twice at the same time. A failure is logged, and the next run tries
 * again.
 */
export function startPeriodicTask(
  { intervalMs, firstDelayMs, work, failed }: PeriodicTask,
  warn: Warn,
): StartedTask {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | null = null;
  let isWoken = false;
  // A request that wakes the task starts work for others, too.
  const inOwnScope = keepScope();
  const runUntilIdle = async () => {
    do {
      isWoken = false;
      await work(signal);
    } while (isWoken && !signal.aborted);
  };
  const start = () => {
    if (signal.aborted) return;
    running ??= inOwnScope(runUntilIdle)
      .catch(error => {
        // A stopping node closes the resources of its tasks.
        if (!signal.aborted) inOwnScope(() => warn(error, failed));
      })
      .finally(() => {
        running = null;
        // `wake` was called after the last run had ended.
        if (isWoken) start();
      });
  };
  const first = firstDelayMs === undefined ? undefined : setTimeout(start, firstDelayMs);
  // Random, so that nodes don't run the task at the same time.
  const timer = setInterval(start, intervalMs * (0.8 + 0.4 * Math.random()));
  return {
    wake() {
      isWoken = true;
      start();
    },
    async stop() {
      stopping.abort();
      clearTimeout(first);
      clearInterval(timer);
      if (running) await endsWithin(running, STOP_TIMEOUT_MS);
    },
  };
}

/** Starts several periodic tasks. @returns a function that stops them */
export function startPeriodicTasks(tasks: PeriodicTask[], warn: Warn): () => Promise<void> {
  const started = tasks.map(task => startPeriodicTask(task, warn));
  return async () => {
    await Promise.all(started.map(({ stop }) => stop()));
  };
}
