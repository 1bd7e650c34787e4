import { LRUCache } from "lru-cache";
import type { DrawnRequests } from "../../../shared/contracts/limits.ts";

/** Buckets are refilled about this often, by whole requests. */
const REFILLS_PER_MINUTE = 60;
/** Tracked keys. An evicted key gets a full bucket. */
const MAX_TRACKED = 10_000;

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
  return { requests, everyMs: (requests * 60_000) / perMinute };
}

interface Bucket {
  left: number;
  refilledAtMs: number;
}

/**
 * A bucket of requests for each key on this node. It holds one minute's requests and refills gradually. It has no
 * timer, and the number of buckets is bounded: keys may be addresses, of which a client can have any number.
 */
export class RequestBuckets implements Buckets {
  readonly #perMinute: number;
  readonly #refill: Refill;
  readonly #nowMs: () => number;
  readonly #buckets = new LRUCache<string, Bucket>({ max: MAX_TRACKED });

  /** @param nowMs a clock that never goes back */
  constructor(perMinute: number, nowMs: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#refill = refillOf(perMinute);
    this.#nowMs = nowMs;
  }

  async draw(key: string): Promise<DrawnRequests> {
    const { left, refilledAtMs } = this.#refilled(key);
    const requests = Math.min(this.#refill.requests, left);
    this.#buckets.set(key, { left: left - requests, refilledAtMs });
    return { requests, inBucket: left - requests };
  }

  #refilled(key: string): Bucket {
    const nowMs = this.#nowMs();
    const { left, refilledAtMs } = this.#buckets.get(key) ?? { left: this.#perMinute, refilledAtMs: nowMs };
    const refills = Math.floor((nowMs - refilledAtMs) / this.#refill.everyMs);
    return {
      left: Math.min(this.#perMinute, left + refills * this.#refill.requests),
      refilledAtMs: refilledAtMs + refills * this.#refill.everyMs,
    };
  }
}
