import type { BrowserPool } from "../../shared/capture/browser-pool.ts";
import { capture } from "../../shared/capture/capture.ts";
import { type Capture, CaptureError, type CaptureRequest } from "../../shared/capture/capture-types.ts";
import { type Bus, emit } from "../../shared/contracts/bus.ts";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { CaptureJob, ResultJob } from "../../shared/contracts/jobs.ts";

/** A page whose browser went away under it gets one of its own, so often: the page next to it may have been the cause, or be the next victim. */
const BROWSERS_PER_SCREENSHOT = 3;

/** What a renderer works with. */
export interface RendererNode {
  browsers: BrowserPool;
  images: ImageStore;
  bus: Bus;
  /** Hands on what became of a screenshot; when it returns, that cannot get lost any more. */
  tell(result: ResultJob): Promise<void>;
  /** Told of every screenshot taken. */
  onCapture(captured: Capture): void;
}

/**
 * Takes the screenshots of one route, one after the other in one warm context, and tells of each.
 * A page that cannot be captured fails its screenshot only; what throws is to be tried again.
 * @throws NoBrowserError when no browser starts here, for which no page is to blame
 */
export async function captureRoute(node: RendererNode, job: CaptureJob, signal: AbortSignal): Promise<void> {
  await emit(node.bus, "capture.started", { runId: job.runId });
  // The next screenshot is taken while the last one is being stored.
  const told: Promise<void>[] = [];
  const tell = (telling: Promise<void>) => {
    // Awaited at the end; should it fail before that, nobody else catches it, and Node would end the process.
    telling.catch(() => {});
    told.push(telling);
  };
  for (const { id, viewport, baselineHash } of job.screenshots) {
    if (signal.aborted) break;
    const request = { url: job.url, viewport, baselineHash, options: job.options };
    const captured = await captureOrReason(node, `${job.teamId} ${job.runId}`, request, signal);
    if (captured instanceof CaptureError) {
      const failure = { kind: "failed", runId: job.runId, screenshotId: id, stage: "capture" } as const;
      // A browser that went away each time says nothing of the page.
      const blame = captured.code === "browser_lost" ? "service" : "page";
      tell(node.tell({ ...failure, reason: captured.message, blame }));
    } else if (captured) {
      tell(storeAndTell(node, job.runId, id, captured, baselineHash));
    }
  }
  await Promise.all(told);
}

async function storeAndTell(
  node: RendererNode,
  runId: string,
  screenshotId: string,
  captured: Capture,
  baselineHash: string | null,
): Promise<void> {
  const { png, ...facts } = captured;
  node.onCapture(captured);
  if (captured.hash !== baselineHash) await node.images.put(png);
  await node.tell({ kind: "captured", runId, screenshotId, ...facts });
}

/** The screenshot, or why there is none, or null when nobody wants it any more. */
async function captureOrReason(
  node: RendererNode,
  isolationKey: string,
  request: CaptureRequest,
  signal: AbortSignal,
): Promise<Capture | CaptureError | null> {
  for (let browser = 1; ; browser++) {
    try {
      const lease = await node.browsers.lease(isolationKey, { alone: browser > 1, signal });
      try {
        return await capture(lease, request, signal);
      } finally {
        await lease.release();
      }
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof CaptureError)) throw error;
      if (!error.retryable || browser === BROWSERS_PER_SCREENSHOT) return error;
    }
  }
}
