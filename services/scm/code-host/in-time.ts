import { HostError } from "./host-error.ts";

/** The code host gives a webhook ten seconds, and comparing distant commits takes long. */
const COMPARE_TIMEOUT_MS = 4_000;

/** Returns the result of a request, or null if it fails or takes too long. @throws HostError while limits are reached */
export async function inTime<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>(resolve => {
    timer = setTimeout(() => resolve(null), COMPARE_TIMEOUT_MS);
  });
  const answered = work.catch(error => {
    if (error instanceof HostError && error.retryAt === null) return null;
    throw error;
  });
  return await Promise.race([answered, late]).finally(() => clearTimeout(timer));
}
