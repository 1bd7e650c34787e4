import type { BrowserPool } from "../../shared/capture/browser/browser-pool.ts";
import { captureInPool, type PooledCapture } from "../../shared/capture/capture-in-pool.ts";
import { CaptureError } from "../../shared/capture/capture-types.ts";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { CaptureJob, ResultJob } from "../../shared/contracts/runs/jobs.ts";

/** More runs than a node renders at the same time. A deleted entry costs one message. */
const MAX_STARTED_RUNS = 1_000;

/** The dependencies of a renderer. */
export interface RendererContext {
  browsers: BrowserPool;
  images: ImageStore;
  /** Runs that this node has reported as started. */
  startedRuns: Set<string>;
  /** Reports a result. Once it returns, the result can't get lost. */
  report(result: ResultJob): Promise<void>;
  /** Called for every captured screenshot. */
  onCapture(captured: PooledCapture): void;
}

/**
 * Captures the screenshots of one route one after the other, and reports each. They share one warm context, unless the
 * job asks for fresh ones.
 * A page that can't be captured fails only its screenshot. Other errors are thrown, so that the job is retried.
 * @throws NoBrowserError if no browser starts on this node, which isn't the page's fault
 */
export async function captureRoute(
  context: RendererContext,
  job: CaptureJob,
  signal: AbortSignal,
): Promise<void> {
  // The next screenshot is captured while the previous one is stored.
  const reports: Promise<void>[] = [];
  const track = (pending: Promise<void>) => {
    // Awaited at the end. An earlier rejection without a handler would end the process.
    pending.catch(() => {});
    reports.push(pending);
  };
  const { url, options, isFresh = false } = job;
  for (const { id, viewport, baselineHash, token } of job.screenshots) {
    if (signal.aborted) break;
    const fields = { runId: job.runId, screenshotId: id, token };
    if (!context.startedRuns.has(job.runId)) track(reportStart(context, fields));
    const request = { url, viewport, baselineHash, options, isFresh };
    const startedAt = performance.now();
    const captured = await captureInPool(context.browsers, `${job.teamId} ${job.runId}`, request, signal);
    const heldMs = Math.round(performance.now() - startedAt);
    if (captured instanceof CaptureError) {
      // A browser that was lost each time says nothing about the page.
      const blame = captured.code === "browser_lost" ? "service" : "page";
      track(
        context.report({
          kind: "failed",
          ...fields,
          stage: "capture",
          reason: captured.message,
          blame,
          heldMs,
        }),
      );
    } else if (captured) {
      track(storeAndReport(context, { ...fields, heldMs }, captured, baselineHash));
    }
  }
  await Promise.all(reports);
}

/** The fields that every result copies from its job. */
type ResultFields = Pick<ResultJob, "runId" | "screenshotId" | "token">;

/** Reports the start once per run, not for each of its routes. */
async function reportStart(context: RendererContext, fields: ResultFields): Promise<void> {
  const { runId } = fields;
  if (context.startedRuns.size >= MAX_STARTED_RUNS) context.startedRuns.clear();
  context.startedRuns.add(runId);
  try {
    await context.report({ kind: "started", ...fields });
  } catch (error) {
    context.startedRuns.delete(runId);
    throw error;
  }
}

async function storeAndReport(
  context: RendererContext,
  fields: ResultFields & { heldMs: number },
  captured: PooledCapture,
  baselineHash: string | null,
): Promise<void> {
  const { png, ...facts } = captured;
  context.onCapture(captured);
  if (captured.hash !== baselineHash) await context.images.put(png);
  await context.report({ kind: "captured", ...fields, ...facts });
}
