import { setTimeout as delay } from "node:timers/promises";
import { ApiError } from "../../shared/api/api-exchanges.ts";

const RETRY_TIMEOUT_MS = 180_000;
const RETRY_INTERVAL_MS = 500;

/**
 * Sends a request until it gets a response, as a client of a service with killed parts does. Each attempt gets its
 * number, so that it can use another gateway.
 * @throws the last error, or an error response at once when it is final
 */
export async function retryRequest<T>(send: (attempt: number) => Promise<T>): Promise<T> {
  const deadline = Date.now() + RETRY_TIMEOUT_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(attempt);
    } catch (error) {
      if (isFinal(error) || Date.now() > deadline) throw error;
      await delay(RETRY_INTERVAL_MS);
    }
  }
}

/** Returns whether an error response stays the same after any number of retries. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}
