import { LRUCache } from "lru-cache";
import type { DrawnRequests } from "../../../shared/contracts/limits.ts";
import type { Buckets } from "./request-buckets.ts";

const MINUTE_MS = 60_000;
/** Tracked keys. An evicted key gets a new minute's requests. */
const MAX_TRACKED = 10_000;

/**
 * One minute's requests for each key on this node, drawn one by one. Unlike a bucket, it isn't refilled before the
 * minute is over, and another gateway draws nothing that it doesn't use.
 */
export class RequestWindows implements Buckets {
  readonly #perMinute: number;
  readonly #windows = new LRUCache<string, { left: number }>({ max: MAX_TRACKED, ttl: MINUTE_MS });

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  async draw(key: string): Promise<DrawnRequests> {
    const before = this.#windows.get(key);
    const window = before ?? { left: this.#perMinute };
    if (!before) this.#windows.set(key, window);
    const requests = Math.min(1, window.left);
    window.left -= requests;
    return { requests, inBucket: window.left };
  }
}
