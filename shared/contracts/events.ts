import type { Capture } from "../capture/capture-types.ts";
import type { Comparison } from "../compare/comparison.ts";
import type { RunProgress } from "./http.ts";

/** A screenshot as its event tells of it: the image itself is in the store under its hash. */
export interface CapturedScreenshot extends Omit<Capture, "png" | "timings"> {
  runId: string;
  screenshotId: string;
  timings: Record<string, number>;
}

/** A comparison as its event tells of it: the mask is in the store under its hash. */
export interface ComparedScreenshot extends Omit<Comparison, "mask" | "width" | "height"> {
  runId: string;
  screenshotId: string;
  /** What was compared: a result for other hashes is stale. */
  baselineHash: string;
  currentHash: string;
  maskHash: string | null;
}

/** Every event on the bus. An event may be lost or come twice; who listens re-reads and is idempotent. */
export interface Events {
  "capture.started": { runId: string };
  "screenshot.captured": CapturedScreenshot;
  /** Captured or compared it cannot be; the reason is for its user. A failed capture says nothing of one that came before. */
  "screenshot.failed": { runId: string; screenshotId: string; stage: "capture" | "compare"; reason: string };
  "screenshot.compared": ComparedScreenshot;
  "run.progressed": RunProgress & { teamId: string };
  "run.completed": { runId: string; teamId: string };
  "run.canceled": { runId: string };
  "key.revoked": { keyId: string };
}

export type EventName = keyof Events;
