import { setTimeout as delay } from "node:timers/promises";

const EVERY_MS = 50;
/** Below the tests' own timeout, so that it is said what was waited for. */
const AT_MOST_MS = 330_000;

let testEnded = new AbortController();

/** Waits until `holds` says so. @throws Error that quotes it, when it takes too long or the test has ended meanwhile */
export function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const waiting = wait(holds, testEnded.signal);
  // Where nobody waits any more, its end is no news.
  waiting.catch(() => {});
  return waiting;
}

/** Ends what a test that is over still waits for: it would keep mocha alive. */
export function endWaits(): void {
  testEnded.abort();
  testEnded = new AbortController();
}

async function wait(holds: () => boolean | Promise<boolean>, ended: AbortSignal): Promise<void> {
  const deadline = performance.now() + AT_MOST_MS;
  while (!(await holds())) {
    if (ended.aborted) throw new Error(`The test has ended, and this did not hold yet: ${holds}`);
    if (performance.now() > deadline)
      throw new Error(`In ${AT_MOST_MS / 1_000} s this did not hold: ${holds}`);
    await delay(EVERY_MS);
  }
}
