import { LRUCache } from "lru-cache";
import { ServiceError } from "../../../shared/errors.ts";
import { LIMIT_ERRORS } from "../texts/errors.ts";
import type { Buckets } from "./request-buckets.ts";
import { RequestWindows } from "./request-windows.ts";

const MINUTE_MS = 60_000;
/** Tracked addresses. An evicted address may draw again. */
const MAX_TRACKED = 10_000;

/** Limits the wrong keys and sessions from each address. */
export class WrongCredentials {
  readonly #perMinute: number;
  readonly #buckets: Buckets;
  /** The addresses whose wrong credentials are refused, each for a minute. */
  readonly #floods = new LRUCache<string, true>({ max: MAX_TRACKED, ttl: MINUTE_MS });

  /**
   * Creates a limit.
   * @param perMinute wrong credentials per address
   * @param buckets default: those of this node
   */
  constructor(perMinute: number, buckets: Buckets = new RequestWindows(perMinute)) {
    this.#perMinute = perMinute;
    this.#buckets = buckets;
  }

  /** Returns whether an address sent so many that further ones are only looked up in batches. */
  isFlooding(address: string): boolean {
    return this.#floods.has(address);
  }

  /** Counts a wrong credential. @returns the error to throw */
  async refusal(address: string, message: string): Promise<ServiceError> {
    if (!this.isFlooding(address) && (await this.#draw(address)))
      return new ServiceError("unauthorized", message);
    const retryAfterSeconds = Math.max(1, Math.ceil(this.#floods.getRemainingTTL(address) / 1_000));
    return new ServiceError("rate_limited", LIMIT_ERRORS.wrongKeys(this.#perMinute, retryAfterSeconds), {
      retryAfterSeconds,
    });
  }

  /** Draws one. @returns whether there was one left */
  async #draw(address: string): Promise<boolean> {
    const { requests, inBucket } = await this.#buckets.draw(address);
    if (inBucket === 0 && !this.isFlooding(address)) this.#floods.set(address, true);
    return requests > 0;
  }
}
