const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** How long a job waits before it is tried again: longer each time, so that what is away for seconds is waited for. @param begun how often it was tried, from 1 */
export function retryAfterMs(begun: number): number {
  return Math.min(FIRST_MS * 2 ** (begun - 1), LONGEST_MS);
}
