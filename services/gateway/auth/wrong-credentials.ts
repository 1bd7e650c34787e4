import { ServiceError } from "../../../shared/errors.ts";
import { LIMIT_ERRORS } from "../texts.ts";
import type { Buckets } from "./request-buckets.ts";
import { RequestWindows } from "./request-windows.ts";

const MINUTE_MS = 60_000;
/** Addresses remembered. Forgetting one lets it draw again. */
const REMEMBERED = 10_000;

/** Limits the wrong keys and sessions that come from each address. */
export class WrongCredentials {
  readonly #perMinute: number;
  readonly #buckets: Buckets;
  /** Until when all that comes from an address is refused, by address. */
  readonly #floods = new Map<string, number>();

  /**
   * @param perMinute how many an address may send
   * @param buckets those of this node alone, unless given
   */
  constructor(perMinute: number, buckets: Buckets = new RequestWindows(perMinute)) {
    this.#perMinute = perMinute;
    this.#buckets = buckets;
  }

  /** Whether so many came from an address that each further one is only looked up together with others. */
  isFlooding(address: string): boolean {
    return (this.#floods.get(address) ?? 0) > Date.now();
  }

  /** Counts one. @returns the answer to it */
  async refusal(address: string, message: string): Promise<ServiceError> {
    if (!this.isFlooding(address) && (await this.#draw(address)))
      return new ServiceError("unauthorized", message);
    const untilMs = this.#floods.get(address) ?? 0;
    const retryAfterSeconds = Math.max(1, Math.ceil((untilMs - Date.now()) / 1_000));
    return new ServiceError("rate_limited", LIMIT_ERRORS.wrongKeys(this.#perMinute, retryAfterSeconds), {
      retryAfterSeconds,
    });
  }

  /** @returns whether there was one left */
  async #draw(address: string): Promise<boolean> {
    const { requests, inBucket } = await this.#buckets.draw(address);
    if (inBucket === 0 && !this.isFlooding(address)) this.#noteFlood(address);
    return requests > 0;
  }

  #noteFlood(address: string): void {
    this.#floods.delete(address);
    this.#floods.set(address, Date.now() + MINUTE_MS);
    const [oldest] = this.#floods.keys();
    if (this.#floods.size > REMEMBERED && oldest !== undefined) this.#floods.delete(oldest);
  }
}
