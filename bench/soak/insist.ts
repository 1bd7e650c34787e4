import { setTimeout as delay } from "node:timers/promises";
import { ApiError } from "../../shared/api-client.ts";

const FOR_MS = 180_000;
const AGAIN_AFTER_MS = 500;

/**
 * Asks until it is answered: whoever uses a service of which parts are being killed does so. Each try is told its
 * number, so that it can turn to another gateway.
 * @throws what was thrown at last, or at once when the service has refused it
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

/** A refusal stays one, however often it is asked for. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}
