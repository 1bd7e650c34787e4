import { withTimeout } from "../../async.ts";
import type { Lease } from "../browser/lease.ts";
import { advancePage } from "../page/page-work.ts";

/** Time in which work that needs no clock of the page ends, even on a busy machine. */
const STILL_MS = 100;
/** Length of a step of the page's clock, and the minimum time between two of them on the wall clock. */
export const TICK_MS = 53;
export const TICK_INTERVAL_MS = 10;
/** How long work may take to end once it was aborted. */
const ABORT_MS = 1_000;

type Outcome<T> = { value: T } | { error: unknown };

/** Work in the page did not end in time. */
export class StepTimeout extends Error {
  /** Playwright's error; null if it did not respond. */
  readonly abortError: unknown;

  constructor(abortError: unknown) {
    super("The step did not end in time.");
    this.abortError = abortError;
  }
}

/**
 * Runs work that may wait for frames, timers and responses of the page. While the work is pending, the page's clock
 * advances. The time is over when both the page and the world have lived so long: which of two clocks ends first would
 * be chance.
 * @param stillMs how long the clock stands still at first. Work that ends meanwhile takes no time of the page
 * @returns the work's result, and how long the page lived, ms
 * @throws StepTimeout; CaptureError `timeout`
 */
export async function withMovingClock<T>(
  lease: Lease,
  timeoutMs: number,
  start: (signal: AbortSignal) => Promise<T>,
  stillMs = STILL_MS,
): Promise<{ value: T; livedMs: number }> {
  const end = performance.now() + timeoutMs;
  const aborting = new AbortController();
  const ended: { outcome: Outcome<T> | null } = { outcome: null };
  const work = start(aborting.signal).then(
    value => {
      ended.outcome = { value };
    },
    (error: unknown) => {
      ended.outcome = { error };
    },
  );
  const hasEnded = async (withinMs: number): Promise<boolean> => {
    await withTimeout(work, withinMs, () => new Error("Not yet.")).catch(() => {});
    return ended.outcome !== null;
  };
  let livedMs = 0;
  let isLate = false;
  try {
    for (let waitMs = stillMs; !(await hasEnded(waitMs)); waitMs = TICK_INTERVAL_MS) {
      isLate = livedMs >= timeoutMs && performance.now() >= end;
      if (isLate) break;
      await advancePage(lease, TICK_MS);
      livedMs += TICK_MS;
    }
  } finally {
    aborting.abort();
  }
  await hasEnded(isLate ? ABORT_MS : 0);
  return { value: resultOf(ended.outcome, isLate), livedMs };
}

function resultOf<T>(outcome: Outcome<T> | null, isLate: boolean): T {
  if (outcome === null) throw new StepTimeout(null);
  if ("value" in outcome) return outcome.value;
  throw isLate ? new StepTimeout(outcome.error) : outcome.error;
}
