import { setTimeout as delay } from "node:timers/promises";

const POLL_INTERVAL_MS = 50;
/** Shorter than the tests' own timeout, so that the error names the condition. */
const TIMEOUT_MS = 330_000;

let testEnded = new AbortController();

/**
 * Waits until `holds` returns true. @throws Error that quotes it, if it takes too long or the test has ended
 */
export function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const waiting = wait(holds, testEnded.signal);
  // Its rejection doesn't matter once no test waits for it.
  waiting.catch(() => {});
  return waiting;
}

/** Ends the waits of a finished test, which would keep mocha alive. */
export function endWaits(): void {
  testEnded.abort();
  testEnded = new AbortController();
}

async function wait(holds: () => boolean | Promise<boolean>, ended: AbortSignal): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    if (ended.aborted) throw new Error(`The test has ended, and this did not hold yet: ${holds}`);
    if (performance.now() > deadline)
      throw new Error(`In ${TIMEOUT_MS / 1_000} s this did not hold: ${holds}`);
    await delay(POLL_INTERVAL_MS);
  }
}
