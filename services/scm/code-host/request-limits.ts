import Bottleneck from "bottleneck";
import { type Backoff, backoffMs } from "../../../shared/backoff.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { HostError } from "./host-error.ts";

/** The code host's guidance for apps: few concurrent requests, and no bursts of writes. */
const CONCURRENCY = 6;
const WRITE_CONCURRENCY = 2;
/** More queued requests are refused, because their callers would time out first. */
const MAX_QUEUED = 1_000;
const BOUNDED = { highWater: MAX_QUEUED, strategy: Bottleneck.strategy.OVERFLOW };

/** Longer pauses end the request, because the code host gives a webhook ten seconds. */
const MAX_WAIT_MS = 3_000;
const MAX_ATTEMPTS = 3;
const RETRIES: Backoff = { firstMs: 250, longestMs: 1_000, factor: 4 };
/** The code host's guidance for a limit without a time. */
const DEFAULT_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;

/** An error response, as far as it concerns the limits. */
export interface Refusal {
  /** 0 without a response. */
  status: number;
  message: string;
  headers: Record<string, string | number | undefined>;
}

/** Returns the pause that the code host requests, or null if the response is not about its limits. */
export function requestedPauseMs({ status, message, headers }: Refusal, nowMs: number): number | null {
  if (status !== 403 && status !== 429) return null;
  const retryAfter = parseSeconds(headers["retry-after"]);
  if (retryAfter !== null) return clampPauseMs(retryAfter * 1_000);
  const reset = parseSeconds(headers["x-ratelimit-reset"]);
  // One more second, because the two clocks may differ.
  if (String(headers["x-ratelimit-remaining"]) === "0" && reset !== null)
    return clampPauseMs(reset * 1_000 - nowMs + 1_000);
  return status === 429 || /rate limit|abuse/i.test(message) ? DEFAULT_PAUSE_MS : null;
}

function parseSeconds(value: string | number | undefined): number | null {
  return value !== undefined && /^\d{1,12}$/.test(String(value)) ? Number(value) : null;
}

function clampPauseMs(ms: number): number {
  return Math.min(Math.max(ms, 0), MAX_PAUSE_MS);
}

/** Keeps the requests of one installation within the code host's limits, and retries what is safe. */
export class RequestLimits {
  readonly #all = new Bottleneck({ ...BOUNDED, maxConcurrent: CONCURRENCY });
  readonly #writes: Bottleneck;
  #closedUntilMs = 0;

  /** @param writesPerMinute null for a host that does not limit them, or only with error responses */
  constructor(writesPerMinute: number | null) {
    this.#writes = new Bottleneck({
      ...BOUNDED,
      maxConcurrent: WRITE_CONCURRENCY,
      ...(writesPerMinute !== null && {
        reservoir: writesPerMinute,
        reservoirRefreshAmount: writesPerMinute,
        reservoirRefreshInterval: 60_000,
      }),
    });
  }

  /**
   * Queues a request and sends it.
   * @param refusalOf returns the code host's error response, or null for our own errors, which are thrown unchanged
   * @throws HostError
   */
  run<T>(
    method: string,
    request: () => Promise<T>,
    refusalOf: (error: unknown) => Refusal | null,
  ): Promise<T> {
    const attempt = () => this.#attempt(method, request, refusalOf);
    const scheduled = () => this.#all.schedule(attempt);
    return (method === "GET" ? scheduled() : this.#writes.schedule(scheduled)).catch(error => {
      throw error instanceof Bottleneck.BottleneckError ? tooMany(error) : error;
    });
  }

  /** Ends the refilling of writes, whose timer keeps unused limits in memory. Writes that wait are sent now. */
  async stop(): Promise<void> {
    const endless = { reservoir: null, reservoirRefreshAmount: null, reservoirRefreshInterval: null };
    await this.#writes.updateSettings(endless);
  }

  async #attempt<T>(
    method: string,
    request: () => Promise<T>,
    refusalOf: (error: unknown) => Refusal | null,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      if (this.#closedUntilMs > Date.now()) throw limited(this.#closedUntilMs);
      try {
        return await request();
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal) throw error;
        const waitMs = this.#waitAfter(refusal, method, attempt);
        if (waitMs === null) throw new HostError(refusal.status, refusal.message);
        await new Promise(resume => setTimeout(resume, waitMs));
      }
    }
  }

  /**
   * Returns the wait before the next attempt, or null for none.
   * @throws HostError if the wait is longer than callers wait
   */
  #waitAfter(refusal: Refusal, method: string, attempt: number): number | null {
    const pauseMs = requestedPauseMs(refusal, Date.now());
    if (pauseMs !== null) {
      if (pauseMs <= MAX_WAIT_MS && attempt < MAX_ATTEMPTS) return pauseMs;
      this.#closedUntilMs = Date.now() + pauseMs;
      throw limited(this.#closedUntilMs);
    }
    // A POST may have created something, so its caller has to check first.
    const isRetryable = method !== "POST" && (refusal.status === 0 || refusal.status >= 500);
    return isRetryable && attempt < MAX_ATTEMPTS ? backoffMs(attempt, RETRIES) : null;
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
    new Date(Date.now() + DEFAULT_PAUSE_MS),
  );
}
