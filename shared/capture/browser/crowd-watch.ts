import { availableParallelism, constants, setPriority } from "node:os";
import { type BrowserProcess, isBusyThread, threadsOf } from "./browser-processes.ts";

/** Busy threads that a process may have for each processor. Pages without workers have fewer than five in all. */
const THREADS_PER_PROCESSOR = 4;
const INTERVAL_MS = 1_000;
/** Checks in a row in which a process is crowded. Many short tasks at once are no crowd. */
const MIN_CHECKS = 3;

/**
 * Gives the lowest priority to pages that keep many threads busy, such as workers in endless loops. Each thread gets
 * as much time as the main thread of another page, so fifty of them would nearly stop all others of the machine. Only on
 * Linux, where each thread has its priority.
 */
export class CrowdWatch {
  readonly #maxThreads: number;
  /** Number of checks in a row in which a process was crowded, by its id. */
  #crowded = new Map<number, number>();
  #nextMs = 0;

  /** @param processors of the machine */
  constructor(processors = availableParallelism()) {
    this.#maxThreads = THREADS_PER_PROCESSOR * processors;
  }

  /** Checks the processes of a browser, at most once in a second. */
  check(processes: readonly BrowserProcess[], nowMs = performance.now()): void {
    if (process.platform !== "linux" || nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + INTERVAL_MS;
    const before = this.#crowded;
    this.#crowded = new Map();
    for (const { pid, isRenderer } of processes) {
      if (!isRenderer) continue;
      const threads = threadsOf(pid);
      if (threads.filter(thread => isBusyThread(pid, thread)).length <= this.#maxThreads) continue;
      const checks = (before.get(pid) ?? 0) + 1;
      this.#crowded.set(pid, checks);
      // Threads that the browser starts later may have the usual priority.
      if (checks >= MIN_CHECKS) for (const thread of threads) lowerPriority(Number(thread));
    }
  }
}

function lowerPriority(thread: number): void {
  try {
    setPriority(thread, constants.priority.PRIORITY_LOW);
  } catch {
    // It ended.
  }
}
