import type { ServerResponse } from "node:http";
import Bottleneck from "bottleneck";
import { ServiceError } from "../../shared/errors.ts";

const REFILL_EVERY_MS = 1_000;
/** A key that was silent for this long has a full bucket again anyway. */
const FORGET_AFTER_MS = 5 * 60_000;

/** A bucket of requests for each key: a minute's worth at once, refilled every second. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #perSecond: number;
  readonly #buckets: Bottleneck.Group;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
    this.#perSecond = Math.max(1, Math.floor(perMinute / 60));
    this.#buckets = new Bottleneck.Group({
      reservoir: perMinute,
      reservoirIncreaseInterval: REFILL_EVERY_MS,
      reservoirIncreaseAmount: this.#perSecond,
      reservoirIncreaseMaximum: perMinute,
      timeout: FORGET_AFTER_MS,
    });
  }

  /** Takes one request out of the key's bucket and tells the client how many are left. @throws ServiceError rate_limited */
  async take(keyId: string, res: ServerResponse): Promise<void> {
    const bucket = this.#buckets.key(keyId);
    const left = await bucket.incrementReservoir(-1);
    res.setHeader("RateLimit-Limit", this.#perMinute);
    res.setHeader("RateLimit-Remaining", Math.max(0, left));
    res.setHeader("RateLimit-Reset", Math.ceil((this.#perMinute - Math.max(0, left)) / this.#perSecond));
    if (left >= 0) return;
    // Refused requests do not deepen the debt.
    await bucket.incrementReservoir(1);
    const retryAfterSeconds = REFILL_EVERY_MS / 1_000;
    throw new ServiceError(
      "rate_limited",
      `This key may ask ${this.#perMinute} times a minute. Try again in a second.`,
      {
        retryAfterSeconds,
      },
    );
  }
}
