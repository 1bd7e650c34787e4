import { waitAtMost } from "./async.ts";

/** Something that a node does again and again. */
export interface PeriodicTask {
  intervalMs: number;
  /** When it is done first; after one such time unless said otherwise. */
  firstDelayMs?: number;
  /** Ends early when the node stops. */
  work(signal: AbortSignal): Promise<unknown>;
  /** What is noted when it fails. */
  failed: string;
}

/** A chore that has begun. */
export interface StartedTask {
  /** Has it done at once, or once more when it is being done already. */
  wake(): void;
  /** @returns when it is not being done any more */
  stop(): Promise<void>;
}

type Warn = (error: unknown, what: string) => void;

/** Longer than a chore that heeds its signal takes to end; a node that is to stop waits for no other. */
const STOP_TIMEOUT_MS = 5_000;

/** Has this node do a chore, at moments of its own and never twice at once; a failure is noted, and tried again then. */
export function startPeriodicTask(
  { intervalMs, firstDelayMs, work, failed }: PeriodicTask,
  warn: Warn,
): StartedTask {
  const stopping = new AbortController();
  const { signal } = stopping;
  let underWay: Promise<void> | null = null;
  let again = false;
  const turns = async () => {
    do {
      again = false;
      await work(signal);
    } while (again && !signal.aborted);
  };
  const begin = () => {
    if (signal.aborted) return;
    underWay ??= turns()
      .catch(error => {
        // A node that stops takes from a chore what it works with.
        if (!signal.aborted) warn(error, failed);
      })
      .finally(() => {
        underWay = null;
        // Asked for after the last turn had ended.
        if (again) begin();
      });
  };
  const first = firstDelayMs === undefined ? undefined : setTimeout(begin, firstDelayMs);
  // Each node at its own moments.
  const timer = setInterval(begin, intervalMs * (0.8 + 0.4 * Math.random()));
  return {
    wake() {
      again = true;
      begin();
    },
    async stop() {
      stopping.abort();
      clearTimeout(first);
      clearInterval(timer);
      await waitAtMost(STOP_TIMEOUT_MS, underWay);
    },
  };
}

/** Has this node do several chores. @returns what ends them */
export function startPeriodicTasks(tasks: PeriodicTask[], warn: Warn): () => Promise<void> {
  const begun = tasks.map(task => startPeriodicTask(task, warn));
  return async () => {
    await Promise.all(begun.map(({ stop }) => stop()));
  };
}
