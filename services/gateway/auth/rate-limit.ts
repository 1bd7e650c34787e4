import type { ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { ServiceError } from "../../../shared/errors.ts";
import { LIMIT_ERRORS } from "../texts/errors.ts";
import { type Buckets, type Refill, RequestBuckets, refillOf } from "./request-buckets.ts";

/** An evicted key loses the drawn requests that it has not used. */
const MAX_TRACKED_KEYS = 10_000;

/** Requests that a key has drawn and not used, and the rest of its bucket at that time. */
interface Drawn {
  unused: number;
  inBucket: number;
}

const NOTHING_DRAWN: Drawn = { unused: 0, inBucket: 0 };

/** Limits the requests of each key per minute. Draws a few requests at a time from the key's bucket. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #client: string;
  readonly #refill: Refill;
  readonly #buckets: Buckets;
  readonly #drawn = new LRUCache<string, Drawn>({ max: MAX_TRACKED_KEYS });
  readonly #drawing = new Map<string, Promise<boolean>>();

  /**
   * Creates a limit.
   * @param client whose limit it is, for error messages
   * @param buckets default: those of this node
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

  /**
   * Takes one request from the key's bucket, and sets the headers with the rest. @throws ServiceError rate_limited
   */
  async take(keyId: string, res: ServerResponse): Promise<void> {
    let { unused, inBucket } = this.#drawnBy(keyId);
    // Another request may have used what this one waited for.
    while (unused === 0 && (await this.#draw(keyId))) ({ unused, inBucket } = this.#drawnBy(keyId));
    if (unused > 0) this.#drawn.set(keyId, { unused: unused - 1, inBucket });
    // For a refused request, the bucket's earlier level is outdated.
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

  /** Concurrent requests share one draw, because other gateways lack what this one draws and doesn't use. */
  #draw(keyId: string): Promise<boolean> {
    const running = this.#drawing.get(keyId);
    if (running) return running;
    const drawing = this.#drawMore(keyId).finally(() => this.#drawing.delete(keyId));
    this.#drawing.set(keyId, drawing);
    return drawing;
  }

  /** Draws more requests. @returns whether there were any */
  async #drawMore(keyId: string): Promise<boolean> {
    const { requests, inBucket } = await this.#buckets.draw(keyId);
    this.#drawn.set(keyId, { unused: this.#drawnBy(keyId).unused + requests, inBucket });
    return requests > 0;
  }
}
