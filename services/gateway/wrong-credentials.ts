import { ServiceError } from "../../shared/errors.ts";
import { LIMIT_ERRORS } from "./texts.ts";

const MINUTE_MS = 60_000;
/** Addresses remembered. Forgetting one gives it another minute's worth. */
const REMEMBERED = 10_000;

/** Counts the wrong keys and sessions that come from each address. */
export class WrongCredentials {
  readonly #perMinute: number;
  readonly #counts = new Map<string, { count: number; untilMs: number }>();

  /** @param perMinute how many an address may send */
  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Whether so many came from an address that each further one is only looked up together with others. */
  isFlooding(address: string): boolean {
    const counted = this.#counts.get(address);
    return counted !== undefined && counted.untilMs > Date.now() && counted.count >= this.#perMinute;
  }

  /** Counts one. @returns the answer to it */
  refusal(address: string, message: string): ServiceError {
    if (!this.isFlooding(address)) {
      this.#count(address);
      return new ServiceError("unauthorized", message);
    }
    const untilMs = this.#counts.get(address)?.untilMs ?? 0;
    const retryAfterSeconds = Math.max(1, Math.ceil((untilMs - Date.now()) / 1_000));
    return new ServiceError("rate_limited", LIMIT_ERRORS.wrongKeys(this.#perMinute, retryAfterSeconds), {
      retryAfterSeconds,
    });
  }

  #count(address: string): void {
    const before = this.#counts.get(address);
    const isOver = before === undefined || before.untilMs <= Date.now();
    const counted = isOver ? { count: 0, untilMs: Date.now() + MINUTE_MS } : before;
    counted.count += 1;
    this.#counts.delete(address);
    this.#counts.set(address, counted);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > REMEMBERED && oldest !== undefined) this.#counts.delete(oldest);
  }
}
