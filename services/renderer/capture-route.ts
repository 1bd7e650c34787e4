import type { BrowserPool } from "../../shared/capture/browser/browser-pool.ts";
import { captureInPool, type PooledCapture } from "../../shared/capture/capture-in-pool.ts";
import { CaptureError } from "../../shared/capture/capture-types.ts";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { CaptureJob, ResultJob } from "../../shared/contracts/runs/jobs.ts";

/** More than a node renders at once; forgetting one costs a message. */
const REMEMBERED_RUNS = 1_000;

/** What a renderer works with. */
export interface RendererNode {
  browsers: BrowserPool;
  images: ImageStore;
  /** Runs that were told to have begun, by this node. */
  begun: Set<string>;
  /** Hands on what became of a run or a screenshot; when it returns, that cannot get lost any more. */
  tell(result: ResultJob): Promise<void>;
  /** Told of every screenshot taken. */
  onCapture(captured: PooledCapture): void;
}

/**
 * Captures the screenshots of one route, one after the other in one warm context, or each in a context of its own
 * where the job asks for fresh ones, and reports each.
 * A page that cannot be captured fails its screenshot only; what throws is to be tried again.
 * @throws NoBrowserError when no browser starts here, for which no page is to blame
 */
export async function captureRoute(node: RendererNode, job: CaptureJob, signal: AbortSignal): Promise<void> {
  // The next screenshot is taken while the last one is being stored.
  const told: Promise<void>[] = [];
  const tell = (telling: Promise<void>) => {
    // Awaited at the end; should it fail before that, nobody else catches it, and Node would end the process.
    telling.catch(() => {});
    told.push(telling);
  };
  const { url, options, isFresh = false } = job;
  for (const { id, viewport, baselineHash, token } of job.screenshots) {
    if (signal.aborted) break;
    const about = { runId: job.runId, screenshotId: id, token };
    if (!node.begun.has(job.runId)) tell(tellBegun(node, about));
    const request = { url, viewport, baselineHash, options, isFresh };
    const begunAt = performance.now();
    const captured = await captureInPool(node.browsers, `${job.teamId} ${job.runId}`, request, signal);
    const heldMs = Math.round(performance.now() - begunAt);
    if (captured instanceof CaptureError) {
      // A browser that went away each time says nothing of the page.
      const blame = captured.code === "browser_lost" ? "service" : "page";
      tell(
        node.tell({ kind: "failed", ...about, stage: "capture", reason: captured.message, blame, heldMs }),
      );
    } else if (captured) {
      tell(storeAndTell(node, { ...about, heldMs }, captured, baselineHash));
    }
  }
  await Promise.all(told);
}

/** What every result says of its job. */
type About = Pick<ResultJob, "runId" | "screenshotId" | "token">;

/** Once for a run, not for each of its routes. */
async function tellBegun(node: RendererNode, about: About): Promise<void> {
  const { runId } = about;
  if (node.begun.size >= REMEMBERED_RUNS) node.begun.clear();
  node.begun.add(runId);
  try {
    await node.tell({ kind: "started", ...about });
  } catch (error) {
    node.begun.delete(runId);
    throw error;
  }
}

async function storeAndTell(
  node: RendererNode,
  about: About & { heldMs: number },
  captured: PooledCapture,
  baselineHash: string | null,
): Promise<void> {
  const { png, ...facts } = captured;
  node.onCapture(captured);
  if (captured.hash !== baselineHash) await node.images.put(png);
  await node.tell({ kind: "captured", ...about, ...facts });
}
