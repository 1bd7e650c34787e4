import { setTimeout as delay } from "node:timers/promises";

/** When rounds start. Each starts after the one before has ended. */
export type RoundSchedule =
  | {
      /** Interval between starts, counted from the first round. Starts that a long round missed are skipped. */
      everyMs: number;
    }
  | {
      /** Pause after the end of a round. */
      pauseMs: number;
    };

/**
 * Runs rounds until it is stopped, and then finishes the current round. The first one starts at once.
 * @param onPause called after each round with the start of the next one
 */
export async function runRounds(
  schedule: RoundSchedule,
  stopping: AbortSignal,
  round: () => Promise<void>,
  onPause: (nextAt: Date) => void = () => {},
): Promise<void> {
  const startedAt = performance.now();
  let slot = 0;
  while (!stopping.aborted) {
    await round();
    if (stopping.aborted) return;
    const elapsedMs = performance.now() - startedAt;
    let waitMs = "pauseMs" in schedule ? schedule.pauseMs : 0;
    if ("everyMs" in schedule) {
      slot = nextSlot(slot, elapsedMs, schedule.everyMs);
      waitMs = slot * schedule.everyMs - elapsedMs;
    }
    onPause(new Date(Date.now() + waitMs));
    await delay(waitMs, undefined, { signal: stopping }).catch(() => {});
  }
}

/** Returns the number of the next start that is still ahead. A timer may fire a little early. */
export function nextSlot(slot: number, elapsedMs: number, everyMs: number): number {
  return Math.max(slot, Math.floor(elapsedMs / everyMs)) + 1;
}
