import type { ServerResponse } from "node:http";
import Bottleneck from "bottleneck";
import { ServiceError } from "../../shared/errors.ts";

/** Buckets are refilled about this often, by whole requests. */
const REFILLS_PER_MINUTE = 60;
/** Bottleneck looks after its buckets this often. */
const TICK_MS = 250;
/** A key that has drawn nothing for this long has a full bucket again anyway. */
const FORGET_AFTER_MS = 5 * 60_000;

/** Forgetting a key costs it the part of a refill that it has drawn and not used. */
const REMEMBERED_KEYS = 10_000;

/** What a key has drawn from its bucket and not used yet, and what was in the bucket then. */
interface Drawn {
  unused: number;
  inBucket: number;
}

const NOTHING_DRAWN: Drawn = { unused: 0, inBucket: 0 };

/** A bucket of requests for each key: a minute's worth at once, refilled little by little. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #who: string;
  readonly #refill: number;
  readonly #refillEveryMs: number;
  readonly #buckets: Bottleneck.Group;
  readonly #drawn = new Map<string, Drawn>();

  /** @param who how its clients are told whose limit it is */
  constructor(perMinute: number, who = "This key") {
    this.#perMinute = perMinute;
    this.#who = who;
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
    let { unused, inBucket } = this.#drawnBy(keyId);
    // Who waited for a draw may find that another request was quicker to use it.
    while (unused === 0 && (await this.#draw(keyId))) ({ unused, inBucket } = this.#drawnBy(keyId));
    if (unused > 0) this.#drawn.set(keyId, { unused: unused - 1, inBucket });
    // Of who is refused, what was in the bucket before others drew is long gone.
    const left = unused > 0 ? Math.max(0, inBucket + unused - 1) : 0;
    const refills = Math.ceil((this.#perMinute - left) / this.#refill);
    res.setHeader("RateLimit-Limit", this.#perMinute);
    res.setHeader("RateLimit-Remaining", left);
    res.setHeader("RateLimit-Reset", Math.ceil((refills * this.#refillEveryMs) / 1_000));
    if (unused > 0) return;
    const retryAfterSeconds = Math.ceil(this.#refillEveryMs / 1_000);
    const message = `${this.#who} may ask ${this.#perMinute} times a minute. Try again in ${retryAfterSeconds} s.`;
    throw new ServiceError("rate_limited", message, { retryAfterSeconds });
  }

  #drawnBy(keyId: string): Drawn {
    return this.#drawn.get(keyId) ?? NOTHING_DRAWN;
  }

  /**
   * Draws as many requests as one refill brings, for each visit to the bucket costs a turn of the timers.
   * @returns whether there were any
   */
  async #draw(keyId: string): Promise<boolean> {
    const bucket = this.#buckets.key(keyId);
    const inBucket = await bucket.incrementReservoir(-this.#refill);
    // Bottleneck forgets buckets by their last job, and to draw is none: this one takes nothing, and is waited for by nobody.
    void bucket.schedule({ weight: 0 }, async () => {});
    // What was not there is given back: refused requests do not deepen the debt.
    const missing = Math.min(this.#refill, Math.max(0, -inBucket));
    if (this.#drawn.size > REMEMBERED_KEYS) this.#drawn.clear();
    const unused = this.#drawnBy(keyId).unused + this.#refill - missing;
    this.#drawn.set(keyId, { unused, inBucket: Math.max(0, inBucket) });
    if (missing > 0) await bucket.incrementReservoir(missing);
    return missing < this.#refill;
  }
}
