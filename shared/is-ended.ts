import type { RunStatus } from "./contracts/runs/runs.ts";

const ENDED: ReadonlySet<RunStatus> = new Set(["completed", "failed", "canceled"]);

/** Whether nothing more of a run is rendered or compared. */
export function isEnded(status: RunStatus): boolean {
  return ENDED.has(status);
}
