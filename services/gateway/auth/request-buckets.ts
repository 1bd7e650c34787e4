import Bottleneck from "bottleneck";
import type { DrawnRequests } from "../../../shared/contracts/limits.ts";

/** Buckets are refilled about this often, by whole requests. */
const REFILLS_PER_MINUTE = 60;
/** Bottleneck looks after its buckets this often. */
const TICK_MS = 250;
/** A key that has drawn nothing for this long has a full bucket again anyway. */
const FORGET_AFTER_MS = 5 * 60_000;

/** Where requests are drawn from. */
export interface Buckets {
  /** Draws as many requests of a key as one refill brings, or as are left. */
  draw(key: string): Promise<DrawnRequests>;
}

/** How often a bucket is refilled, and by how many requests. */
export interface Refill {
  requests: number;
  everyMs: number;
}

/** The refill of a bucket that brings so many requests a minute. */
export function refillOf(perMinute: number): Refill {
  const requests = Math.ceil(perMinute / REFILLS_PER_MINUTE);
  return { requests, everyMs: Math.ceil((requests * 60_000) / perMinute / TICK_MS) * TICK_MS };
}

/** A bucket of requests for each key, on this node: a minute's worth at once, refilled little by little. */
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
      timeout: FORGET_AFTER_MS,
    });
  }

  async draw(key: string): Promise<DrawnRequests> {
    const bucket = this.#buckets.key(key);
    const inBucket = await bucket.incrementReservoir(-this.#refill);
    // Bottleneck forgets buckets by their last job, and to draw is none: this one takes nothing, and is waited for by nobody.
    void bucket.schedule({ weight: 0 }, async () => {});
    // What was not there is given back: refused requests do not deepen the debt.
    const missing = Math.min(this.#refill, Math.max(0, -inBucket));
    if (missing > 0) await bucket.incrementReservoir(missing);
    return { requests: this.#refill - missing, inBucket: Math.max(0, inBucket) };
  }
}
