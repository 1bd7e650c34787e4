import { setTimeout as delay } from "node:timers/promises";
import { ZodError } from "zod";
import { type Backoff, backoffMs } from "../backoff.ts";
import { problem } from "../contracts/problem.ts";
import { parseJson } from "../json.ts";

/** An error response. The message is the service's own, and `code` comes from its error catalogue. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Finds the request in the service's log. */
  readonly requestId: string | null;

  constructor(status: number, code: string, message: string, requestId: string | null) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

export interface ExchangeOptions {
  /** Aborts every request and every wait. */
  signal?: AbortSignal;
  /** Attempts of a request that the service rejects with a `Retry-After`. */
  attempts?: number;
  /**
   * How long a request is retried while the service is unreachable, in ms. It may be restarting. Only
   * requests that are safe to repeat are retried: reads, and those with an idempotency key.
   */
  retryForMs?: number;
  /**
   * Called at most once a request, with the failure, when it is retried because the service is unreachable.
   */
  onUnreachable?: (failure: unknown) => void;
}

/** Attempts after 429 and 503 responses with a `Retry-After`. */
const ATTEMPTS = 4;
const MAX_PAUSE_SECONDS = 60;

/** Waits between attempts to reach an unreachable service. */
const RETRIES: Backoff = { firstMs: 250, longestMs: 5_000 };
/** Statuses that a proxy sends for an unreachable service. */
const UNREACHABLE = new Set([502, 503, 504]);

/** Sends requests to a service, and repeats those that can be repeated. */
export class ApiExchanges {
  readonly #signal: AbortSignal | undefined;
  readonly #attempts: number;
  readonly #retryForMs: number;
  readonly #onUnreachable: (failure: unknown) => void;

  constructor({ signal, attempts = ATTEMPTS, retryForMs = 0, onUnreachable = () => {} }: ExchangeOptions) {
    this.#signal = signal;
    this.#attempts = attempts;
    this.#retryForMs = retryForMs;
    this.#onUnreachable = onUnreachable;
  }

  /** Repeats an exchange that the service asks to repeat, or that doesn't reach it and can be repeated. */
  async retry<T>(isRepeatable: boolean, exchange: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + (isRepeatable ? this.#retryForMs : 0);
    let isReported = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await exchange().then(
        value => ({ value }),
        (error: unknown) => rejectionOf(error),
      );
      if ("value" in outcome) return outcome.value;
      const { failure, retryAfterMs, isUnreachable } = outcome;
      this.#signal?.throwIfAborted();
      const isInTime = performance.now() < deadline;
      if (retryAfterMs !== null && (attempt < this.#attempts || isInTime)) await this.pause(retryAfterMs);
      else if (isUnreachable && isInTime) {
        if (!isReported) this.#onUnreachable(failure);
        isReported = true;
        await this.pause(backoffMs(attempt, RETRIES));
      } else throw failure;
    }
  }

  /** @throws RejectedError for an error response, and what fetch throws */
  async fetch(url: string, request: RequestInit, timeoutMs: number): Promise<Response> {
    const late = AbortSignal.timeout(timeoutMs);
    const signal = this.#signal ? AbortSignal.any([late, this.#signal]) : late;
    const response = await fetch(url, { ...request, signal });
    if (response.ok) return response;
    throw new RejectedError(response.status, retryAfterMsOf(response), await errorOf(response));
  }

  /** @throws the signal's reason once it is aborted */
  async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#signal });
  }
}

/** An error response, or no response. */
interface Rejection {
  failure: unknown;
  /** The wait that the service requests before the next attempt, in ms. */
  retryAfterMs: number | null;
  /** Whether the service itself was not reached. */
  isUnreachable: boolean;
}

/** An error response, with what decides about a retry. */
export class RejectedError extends Error {
  readonly status: number;
  readonly rejection: Rejection;

  constructor(status: number, retryAfterMs: number | null, failure: ApiError) {
    super(failure.message);
    this.status = status;
    this.rejection = { failure, retryAfterMs, isUnreachable: UNREACHABLE.has(status) };
  }
}

function rejectionOf(error: unknown): Rejection {
  if (error instanceof RejectedError) return error.rejection;
  // Something else responded, or a request within this exchange was rejected. A retry would not change that.
  const isOther = error instanceof SyntaxError || error instanceof ZodError || error instanceof ApiError;
  return { failure: error, retryAfterMs: null, isUnreachable: !isOther };
}

/** Returns the wait that a response requests before the next attempt, in ms, or null without one. */
function retryAfterMsOf(response: Response): number | null {
  if (response.status !== 429 && response.status !== 503) return null;
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return seconds >= 0 && seconds <= MAX_PAUSE_SECONDS ? seconds * 1000 : null;
}

/** Reads the error of a response. It may come from a proxy whose bodies have another shape. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  const { success, data } = problem.safeParse(parseJson(text));
  if (!success)
    return new ApiError(response.status, "unknown", `${response.status} ${text.slice(0, 200)}`.trim(), null);
  // The detail already contains the first one.
  const others = (data.errors ?? []).flatMap(({ message }) =>
    data.detail.includes(message) ? [] : [message],
  );
  return new ApiError(data.status, data.code, [data.detail, ...others].join(" "), data.requestId);
}
