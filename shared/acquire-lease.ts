import { setTimeout as delay } from "node:timers/promises";

/** The result of a lease attempt: it is the caller's, another node may hold it, or the delivery is done. */
export type LeaseResult = "mine" | "others" | "done";

/** The lease is longer than senders wait for a response. After it, its node counts as stopped. */
export const LEASE_MS = 13_000;
/**
 * Longer than a lease, so that the lease of a stopped node expires. Together with the handling, shorter than the bus's
 * timeout.
 */
const MAX_WAIT_MS = 15_000;
const POLL_INTERVAL_MS = 150;

/** Leases a delivery, or waits for the result of its holder. @param lease leases it for `LEASE_MS` if it is free */
export async function acquireLease(lease: () => Promise<LeaseResult>): Promise<LeaseResult> {
  const until = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const result = await lease();
    if (result !== "others" || Date.now() >= until) return result;
    await delay(POLL_INTERVAL_MS);
  }
}
