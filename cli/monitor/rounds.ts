import { setTimeout as delay } from "node:timers/promises";

/** When rounds begin, each after the one before has ended. */
export type Rhythm =
  | {
      /** A round begins so often, counted from the first; turns that a long round missed are left out. */
      everyMs: number;
    }
  | {
      /** So long after the end of the one before. */
      pauseMs: number;
    };

/**
 * Goes round until it is to stop: the round that is under way is finished. The first begins at once.
 * @param round is told when the next one begins, after it has ended
 */
export async function goRound(
  rhythm: Rhythm,
  stopping: AbortSignal,
  round: () => Promise<void>,
  onPause: (nextAt: Date) => void = () => {},
): Promise<void> {
  const begun = performance.now();
  let turn = 0;
  while (!stopping.aborted) {
    await round();
    if (stopping.aborted) return;
    const elapsedMs = performance.now() - begun;
    let waitMs = "pauseMs" in rhythm ? rhythm.pauseMs : 0;
    if ("everyMs" in rhythm) {
      turn = nextTurn(turn, elapsedMs, rhythm.everyMs);
      waitMs = turn * rhythm.everyMs - elapsedMs;
    }
    onPause(new Date(Date.now() + waitMs));
    await delay(waitMs, undefined, { signal: stopping }).catch(() => {});
  }
}

/** The number of the turn after this one, of those that are still to come: a timer may be a little early. */
export function nextTurn(turn: number, elapsedMs: number, everyMs: number): number {
  return Math.max(turn, Math.floor(elapsedMs / everyMs)) + 1;
}
