import { setTimeout as delay } from "node:timers/promises";
import { ApiError } from "../../shared/api-client.ts";

const FOR_MS = 180_000;
const AGAIN_AFTER_MS = 500;

/**
 * Sends a request until it gets a response, as a client of a service with killed parts does. Each attempt gets its
 * number, so that it can use another gateway.
 * @throws the last error, or an error response at once when it is final
 */
export async function insist<T>(ask: (attempt: number) => Promise<T>): Promise<T> {
  const deadline = Date.now() + FOR_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask(attempt);
    } catch (error) {
      if (isFinal(error) || Date.now() > deadline) throw error;
      await delay(AGAIN_AFTER_MS);
    }
  }
}

/** Returns whether an error response stays the same after any number of retries. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}
