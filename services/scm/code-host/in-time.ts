import { resultWithin } from "../../../shared/async.ts";
import { HostError } from "./host-error.ts";

/** The code host gives a webhook ten seconds, and comparing distant commits takes long. */
const COMPARE_TIMEOUT_MS = 4_000;

/** Returns the result of a request, or null if it fails or takes too long. @throws HostError while limits are reached */
export async function inTime<T>(work: Promise<T>): Promise<T | null> {
  const answered = work.catch(error => {
    if (error instanceof HostError && error.retryAt === null) return null;
    throw error;
  });
  return await resultWithin(answered, COMPARE_TIMEOUT_MS);
}
