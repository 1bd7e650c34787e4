import { createHash } from "node:crypto";

/**
 * Where in its interval a monitor has its turn, 0–1: by a hash of its id, so that monitors that were made together do
 * not all run at the same moment, and each always at its own.
 */
export function phaseOf(monitorId: string): number {
  return createHash("sha256").update(monitorId).digest().readUInt32BE(0) / 2 ** 32;
}
