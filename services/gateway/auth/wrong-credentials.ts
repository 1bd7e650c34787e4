import { ServiceError } from "../../../shared/errors.ts";
import { LIMIT_ERRORS } from "../texts.ts";
import type { Buckets } from "./request-buckets.ts";
import { RequestWindows } from "./request-windows.ts";

const MINUTE_MS = 60_000;
/** Tracked addresses. An evicted address may draw again. */
const MAX_TRACKED = 10_000;

/** Limits the wrong keys and sessions from each address. */
export class WrongCredentials {
  readonly #perMinute: number;
  readonly #buckets: Buckets;
  /** Until when wrong credentials of an address are refused, by address. */
  readonly #floods = new Map<string, number>();

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
    return (this.#floods.get(address) ?? 0) > Date.now();
  }

  /** Counts a wrong credential. @returns the error to throw */
  async refusal(address: string, message: string): Promise<ServiceError> {
    if (!this.isFlooding(address) && (await this.#draw(address)))
      return new ServiceError("unauthorized", message);
    const untilMs = this.#floods.get(address) ?? 0;
    const retryAfterSeconds = Math.max(1, Math.ceil((untilMs - Date.now()) / 1_000));
    return new ServiceError("rate_limited", LIMIT_ERRORS.wrongKeys(this.#perMinute, retryAfterSeconds), {
      retryAfterSeconds,
    });
  }

  /** Draws one. @returns whether there was one left */
  async #draw(address: string): Promise<boolean> {
    const { requests, inBucket } = await this.#buckets.draw(address);
    if (inBucket === 0 && !this.isFlooding(address)) this.#recordFlood(address);
    return requests > 0;
  }

  #recordFlood(address: string): void {
    this.#floods.delete(address);
    this.#floods.set(address, Date.now() + MINUTE_MS);
    const [oldest] = this.#floods.keys();
    if (this.#floods.size > MAX_TRACKED && oldest !== undefined) this.#floods.delete(oldest);
  }
}
