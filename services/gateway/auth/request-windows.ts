import type { DrawnRequests } from "../../../shared/contracts/limits.ts";
import type { Buckets } from "./request-buckets.ts";

const MINUTE_MS = 60_000;
/** Keys remembered. Forgetting one gives it another minute's worth. */
const REMEMBERED = 10_000;

/**
 * A minute's worth of requests for each key, on this node, drawn one by one. Lighter than RequestBuckets, and bounded:
 * whoever guesses credentials may come from any number of addresses.
 */
export class RequestWindows implements Buckets {
  readonly #perMinute: number;
  readonly #windows = new Map<string, { left: number; untilMs: number }>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  async draw(key: string): Promise<DrawnRequests> {
    const before = this.#windows.get(key);
    const isOver = before === undefined || before.untilMs <= Date.now();
    const window = isOver ? { left: this.#perMinute, untilMs: Date.now() + MINUTE_MS } : before;
    const requests = Math.min(1, window.left);
    window.left -= requests;
    this.#windows.delete(key);
    this.#windows.set(key, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > REMEMBERED && oldest !== undefined) this.#windows.delete(oldest);
    return { requests, inBucket: window.left };
  }
}
