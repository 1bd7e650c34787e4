import Bottleneck from "bottleneck";
import type { DrawnRequests } from "../../../shared/contracts/limits.ts";

/** Buckets are refilled about this often, by whole requests. */
const REFILLS_PER_MINUTE = 60;
/** Bottleneck updates its buckets at this interval. */
const TICK_MS = 250;
/** The bucket of a key that drew nothing for this long is full again. */
const IDLE_TIMEOUT_MS = 5 * 60_000;

/** Buckets that requests are drawn from. */
export interface Buckets {
  /** Draws one refill's requests of a key, or what is left. */
  draw(key: string): Promise<DrawnRequests>;
}

/** Interval and size of a bucket's refills. */
export interface Refill {
  requests: number;
  everyMs: number;
}

/** Returns the refill for a number of requests per minute. */
export function refillOf(perMinute: number): Refill {
  const requests = Math.ceil(perMinute / REFILLS_PER_MINUTE);
  return { requests, everyMs: Math.ceil((requests * 60_000) / perMinute / TICK_MS) * TICK_MS };
}

/** A bucket of requests for each key on this node. It holds one minute's requests and refills gradually. */
export class RequestBuckets implements Buckets {
  readonly #refill: number;
  readonly #buckets: Bottleneck.Group;

  constructor(perMinute: number) {
    const { requests, everyMs } = refillOf(perMinute);
    this.#refill = requests;
    this.#buckets = new Bottleneck.Group({
      reservoir: perMinute,
      reservoirIncreaseInterval: everyMs,
      reservoirIncreaseAmount: requests,
      reservoirIncreaseMaximum: perMinute,
      timeout: IDLE_TIMEOUT_MS,
    });
  }

  async draw(key: string): Promise<DrawnRequests> {
    const bucket = this.#buckets.key(key);
    const inBucket = await bucket.incrementReservoir(-this.#refill);
    // Bottleneck removes buckets by their last job, and drawing is no job. This empty job counts as one. Nothing
    // waits for it.
    void bucket.schedule({ weight: 0 }, async () => {});
    // Missing requests are returned, so that refused requests don't increase the debt.
    const missing = Math.min(this.#refill, Math.max(0, -inBucket));
    if (missing > 0) await bucket.incrementReservoir(missing);
    return { requests: this.#refill - missing, inBucket: Math.max(0, inBucket) };
  }
}
