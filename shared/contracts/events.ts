import type { RunProgress } from "./http.ts";

/** Every event on the bus. An event may be lost or come twice; who listens re-reads and is idempotent. */
export interface Events {
  "capture.started": { runId: string };
  "run.progressed": RunProgress & { teamId: string };
  "run.completed": { runId: string; teamId: string };
  "run.canceled": { runId: string };
  "key.revoked": { keyId: string };
}

export type EventName = keyof Events;
