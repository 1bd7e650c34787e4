import { cut } from "../../../shared/text/text-limits.ts";
import { HostError, isMissing } from "./host-error.ts";

/** What the adapters of hosts with tokens have in common about statuses, files, and comments. */

/** Lists of statuses show one line, and some hosts refuse longer ones. */
const STATUS_LIMIT = { max: 255, unit: "characters" } as const;
/** Larger files are not read. */
export const MAX_FILE_BYTES = 1024 * 1024;
/** Stands for a larger file, with spaces of the same size, so that the reader reports that it is too large. */
export const TOO_LARGE_FILE = " ".repeat(MAX_FILE_BYTES);

/** Returns the description of a commit status, within every host's limit. */
export function statusDescription(text: string): string {
  return cut(text, STATUS_LIMIT);
}

/** Returns null for what is missing. An empty repository has nothing. */
export async function orMissing<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (isMissing(error) || (error instanceof HostError && error.status === 409)) return null;
    throw error;
  }
}

/**
 * Returns whether a comment was changed. False if it was deleted, or is of an earlier token's user, whose comments this one
 * may not change.
 */
export async function didChange(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (error instanceof HostError && [403, 404].includes(error.status)) return false;
    throw error;
  }
}
