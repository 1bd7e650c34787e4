import type { DrawnRequests } from "../../../shared/contracts/limits.ts";
import type { Buckets } from "./request-buckets.ts";

const MINUTE_MS = 60_000;
/** Tracked keys. An evicted key gets a new minute's requests. */
const MAX_TRACKED = 10_000;

/**
 * One minute's requests for each key on this node, drawn one by one. It is lighter than RequestBuckets and
 * bounded, because guessed credentials may come from any number of addresses.
 */
export class RequestWindows implements Buckets {
  readonly #perMinute: number;
  readonly #windows = new Map<string, { left: number; untilMs: number }>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  async draw(key: string): Promise<DrawnRequests> {
    const before = this.#windows.get(key);
    const isExpired = before === undefined || before.untilMs <= Date.now();
    const window = isExpired ? { left: this.#perMinute, untilMs: Date.now() + MINUTE_MS } : before;
    const requests = Math.min(1, window.left);
    window.left -= requests;
    this.#windows.delete(key);
    this.#windows.set(key, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > MAX_TRACKED && oldest !== undefined) this.#windows.delete(oldest);
    return { requests, inBucket: window.left };
  }
}
