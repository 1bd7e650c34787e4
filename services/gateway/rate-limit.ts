import type { ServerResponse } from "node:http";
import Bottleneck from "bottleneck";
import { ServiceError } from "../../shared/errors.ts";

/** Buckets are refilled about this often, by whole requests. */
const REFILLS_PER_MINUTE = 60;
/** Bottleneck looks after its buckets this often. */
const TICK_MS = 250;
/** A key that was silent for this long has a full bucket again anyway. */
const FORGET_AFTER_MS = 5 * 60_000;

/** A bucket of requests for each key: a minute's worth at once, refilled little by little. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #refill: number;
  readonly #refillEveryMs: number;
  readonly #buckets: Bottleneck.Group;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
    this.#refill = Math.ceil(perMinute / REFILLS_PER_MINUTE);
    this.#refillEveryMs = Math.ceil((this.#refill * 60_000) / perMinute / TICK_MS) * TICK_MS;
    this.#buckets = new Bottleneck.Group({
      reservoir: perMinute,
      reservoirIncreaseInterval: this.#refillEveryMs,
      reservoirIncreaseAmount: this.#refill,
      reservoirIncreaseMaximum: perMinute,
      timeout: FORGET_AFTER_MS,
    });
  }

  /** Takes one request out of the key's bucket and tells the client how many are left. @throws ServiceError rate_limited */
  async take(keyId: string, res: ServerResponse): Promise<void> {
    const bucket = this.#buckets.key(keyId);
    const left = await bucket.incrementReservoir(-1);
    const refills = Math.ceil((this.#perMinute - Math.max(0, left)) / this.#refill);
    res.setHeader("RateLimit-Limit", this.#perMinute);
    res.setHeader("RateLimit-Remaining", Math.max(0, left));
    res.setHeader("RateLimit-Reset", Math.ceil((refills * this.#refillEveryMs) / 1_000));
    if (left >= 0) return;
    // Refused requests do not deepen the debt.
    await bucket.incrementReservoir(1);
    const retryAfterSeconds = Math.ceil(this.#refillEveryMs / 1_000);
    const message = `This key may ask ${this.#perMinute} times a minute. Try again in ${retryAfterSeconds} s.`;
    throw new ServiceError("rate_limited", message, { retryAfterSeconds });
  }
}
