import type { ServerResponse } from "node:http";
import { ServiceError } from "../../../shared/errors.ts";
import { LIMIT_ERRORS } from "../texts.ts";
import { type Buckets, type Refill, RequestBuckets, refillOf } from "./request-buckets.ts";

/** Forgetting a key costs it the part of a refill that it has drawn and not used. */
const REMEMBERED_KEYS = 10_000;

/** What a key has drawn from its bucket and not used yet, and what was in the bucket then. */
interface Drawn {
  unused: number;
  inBucket: number;
}

const NOTHING_DRAWN: Drawn = { unused: 0, inBucket: 0 };

/** Limits the requests of each key to so many a minute. Draws a few at a time from the key's bucket. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #client: string;
  readonly #refill: Refill;
  readonly #buckets: Buckets;
  readonly #drawn = new Map<string, Drawn>();
  readonly #drawing = new Map<string, Promise<boolean>>();

  /**
   * @param client names in its errors whose limit it is
   * @param buckets those of this node alone, unless given
   */
  constructor(
    perMinute: number,
    client: string = LIMIT_ERRORS.thisKey,
    buckets: Buckets = new RequestBuckets(perMinute),
  ) {
    this.#perMinute = perMinute;
    this.#client = client;
    this.#refill = refillOf(perMinute);
    this.#buckets = buckets;
  }

  /** Takes one request out of the key's bucket and tells the client how many are left. @throws ServiceError rate_limited */
  async take(keyId: string, res: ServerResponse): Promise<void> {
    let { unused, inBucket } = this.#drawnBy(keyId);
    // Who waited for a draw may find that another request was quicker to use it.
    while (unused === 0 && (await this.#draw(keyId))) ({ unused, inBucket } = this.#drawnBy(keyId));
    if (unused > 0) this.#drawn.set(keyId, { unused: unused - 1, inBucket });
    // Of who is refused, what was in the bucket before others drew is long gone.
    const left = unused > 0 ? Math.max(0, inBucket + unused - 1) : 0;
    const { requests, everyMs } = this.#refill;
    const refills = Math.ceil((this.#perMinute - left) / requests);
    res.setHeader("RateLimit-Limit", this.#perMinute);
    res.setHeader("RateLimit-Remaining", left);
    res.setHeader("RateLimit-Reset", Math.ceil((refills * everyMs) / 1_000));
    if (unused > 0) return;
    const retryAfterSeconds = Math.ceil(everyMs / 1_000);
    const message = LIMIT_ERRORS.requests(this.#client, this.#perMinute, retryAfterSeconds);
    throw new ServiceError("rate_limited", message, { retryAfterSeconds });
  }

  #drawnBy(keyId: string): Drawn {
    return this.#drawn.get(keyId) ?? NOTHING_DRAWN;
  }

  /** Requests that come together share one draw: what one gateway holds and does not use, the others lack. */
  #draw(keyId: string): Promise<boolean> {
    const underWay = this.#drawing.get(keyId);
    if (underWay) return underWay;
    const drawing = this.#drawMore(keyId).finally(() => this.#drawing.delete(keyId));
    this.#drawing.set(keyId, drawing);
    return drawing;
  }

  /** @returns whether there were any */
  async #drawMore(keyId: string): Promise<boolean> {
    const { requests, inBucket } = await this.#buckets.draw(keyId);
    if (this.#drawn.size > REMEMBERED_KEYS) this.#drawn.clear();
    this.#drawn.set(keyId, { unused: this.#drawnBy(keyId).unused + requests, inBucket });
    return requests > 0;
  }
}
