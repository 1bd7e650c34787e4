import { setTimeout as delay } from "node:timers/promises";

/** Who handles a delivery: this claim, another one that may still be at it, or nobody any more, because it is done. */
export type Claimed = "mine" | "others" | "done";

/** How long a delivery is its claim's: longer than senders wait for an answer. After that its node counts as gone. */
export const LEASE_MS = 13_000;
/** An equal delivery waits for what becomes of the first, a dead node's too; with its own turn, less than the bus waits. */
const WAITS_MS = 15_000;
const POLL_INTERVAL_MS = 150;

/** Claims a delivery, or waits until it is clear what became of the one that did. @param claim for `LEASE_MS`, if it is free */
export async function acquireLease(claim: () => Promise<Claimed>): Promise<Claimed> {
  const until = Date.now() + WAITS_MS;
  for (;;) {
    const claimed = await claim();
    if (claimed !== "others" || Date.now() >= until) return claimed;
    await delay(POLL_INTERVAL_MS);
  }
}
