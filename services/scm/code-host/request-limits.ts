import Bottleneck from "bottleneck";
import { type Backoff, backoffMs } from "../../../shared/backoff.ts";
import { EVENT_REASONS } from "../texts.ts";
import { HostError } from "./host-error.ts";

/** As the code host asks of apps: few requests at once, and no bursts of what makes content. */
const AT_ONCE = 6;
const WRITES_AT_ONCE = 2;
/** More waiting than this are refused: nobody would wait so long for them. */
const WAITING = 1_000;
const BOUNDED = { highWater: WAITING, strategy: Bottleneck.strategy.OVERFLOW };

/** Pauses up to this are waited for: the code host gives a webhook ten seconds. */
const WAITED_FOR_MS = 3_000;
const TRIES = 3;
const RETRIES: Backoff = { firstMs: 250, longestMs: 1_000, factor: 4 };
/** What a limit without a time costs, by the code host's own advice. */
const USUAL_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** An answer that is an error, as far as the limits are concerned. */
export interface Refusal {
  /** 0 for none at all. */
  status: number;
  message: string;
  headers: Record<string, string | number | undefined>;
}

/** How long the code host wants to be left alone, ms; null when this was not about its limits. */
export function pauseAsked({ status, message, headers }: Refusal, nowMs: number): number | null {
  if (status !== 403 && status !== 429) return null;
  const asked = seconds(headers["retry-after"]);
  if (asked !== null) return bounded(asked * 1_000);
  const reset = seconds(headers["x-ratelimit-reset"]);
  // A second more: the two clocks are not the same.
  if (String(headers["x-ratelimit-remaining"]) === "0" && reset !== null)
    return bounded(reset * 1_000 - nowMs + 1_000);
  return status === 429 || /rate limit|abuse/i.test(message) ? USUAL_PAUSE_MS : null;
}

function seconds(value: string | number | undefined): number | null {
  return value !== undefined && /^\d{1,12}$/.test(String(value)) ? Number(value) : null;
}

function bounded(ms: number): number {
  return Math.min(Math.max(ms, 0), LONGEST_PAUSE_MS);
}

/** Keeps the requests of one installation within the code host's limits, and tries again what may be. */
export class RequestLimits {
  readonly #all = new Bottleneck({ ...BOUNDED, maxConcurrent: AT_ONCE });
  readonly #writes: Bottleneck;
  #closedUntilMs = 0;

  constructor(writesPerMinute: number) {
    this.#writes = new Bottleneck({
      ...BOUNDED,
      maxConcurrent: WRITES_AT_ONCE,
      reservoir: writesPerMinute,
      reservoirRefreshAmount: writesPerMinute,
      reservoirRefreshInterval: 60_000,
    });
  }

  /**
   * Makes a request once it is its turn.
   * @param refusalOf tells what the code host answered from faults of our own, which are thrown as they are
   * @throws HostError
   */
  run<T>(
    method: string,
    request: () => Promise<T>,
    refusalOf: (error: unknown) => Refusal | null,
  ): Promise<T> {
    const attempt = () => this.#attempt(method, request, refusalOf);
    const inTurn = () => this.#all.schedule(attempt);
    return (method === "GET" ? inTurn() : this.#writes.schedule(inTurn)).catch(error => {
      throw error instanceof Bottleneck.BottleneckError ? tooMany(error) : error;
    });
  }

  async #attempt<T>(
    method: string,
    request: () => Promise<T>,
    refusalOf: (error: unknown) => Refusal | null,
  ): Promise<T> {
    for (let tried = 1; ; tried++) {
      if (this.#closedUntilMs > Date.now()) throw limited(this.#closedUntilMs);
      try {
        return await request();
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal) throw error;
        const waitMs = this.#waitAfter(refusal, method, tried);
        if (waitMs === null) throw new HostError(refusal.status, refusal.message);
        await new Promise(resume => setTimeout(resume, waitMs));
      }
    }
  }

  /** How long to wait before the next try, ms; null for none. @throws HostError when that is longer than anybody waits */
  #waitAfter(refusal: Refusal, method: string, tried: number): number | null {
    const pauseMs = pauseAsked(refusal, Date.now());
    if (pauseMs !== null) {
      if (pauseMs <= WAITED_FOR_MS && tried < TRIES) return pauseMs;
      this.#closedUntilMs = Date.now() + pauseMs;
      throw limited(this.#closedUntilMs);
    }
    // What makes something may have made it: whoever asked for it looks first.
    const isRepeatable = method !== "POST" && (refusal.status === 0 || refusal.status >= 500);
    return isRepeatable && tried < TRIES ? backoffMs(tried, RETRIES) : null;
  }
}

function limited(untilMs: number): HostError {
  const until = new Date(untilMs);
  return new HostError(429, EVENT_REASONS.limit(until), until);
}

function tooMany(error: Error): HostError {
  return new HostError(
    429,
    EVENT_REASONS.tooManyRequests(error.message),
    new Date(Date.now() + USUAL_PAUSE_MS),
  );
}
