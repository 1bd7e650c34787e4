import { readCapsule } from "../../shared/capture/capsule/capsule.ts";
import { captureVisit, type PooledCapture } from "../../shared/capture/capture-in-pool.ts";
import { CaptureError } from "../../shared/capture/capture-types.ts";
import type { FindReplacement } from "../../shared/capture/network/rules/replace-responses.ts";
import type { ComparePool } from "../../shared/compare/compare-pool.ts";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { CaptureJob, JobScreenshot } from "../../shared/contracts/runs/jobs.ts";
import type { ProofTask } from "../../shared/contracts/runs/proof.ts";
import { enqueueResult, type WorkQueue } from "../../shared/contracts/work-queue.ts";
import { ProofEnd, type ProofWork, proveCause } from "../../shared/prove/prove-cause.ts";
import { captureRoute, type RendererContext, visitOf } from "./capture-route.ts";
import { type ListingContext, listStories } from "./list-stories.ts";

/** The dependencies of a proof. */
export type ProofContext = Pick<
  RendererContext,
  "browsers" | "images" | "tunnels" | "archives" | "report"
> & {
  comparing: Pick<ComparePool, "compare">;
};

/** A job with a proof. */
type ProofJob = CaptureJob & { proof: ProofTask };

/** Does a job of a renderer: captures, a list of stories, or a proof. */
export async function doJob(
  context: ListingContext & ProofContext,
  job: CaptureJob,
  signal: AbortSignal,
): Promise<void> {
  const { proof, listing, ...capture } = job;
  if (listing) return await listStories(context, capture, listing, signal);
  if (proof === undefined) return await captureRoute(context, capture, signal);
  await proveChange(context, { ...capture, proof }, signal);
}

/** Reports a proof that failed for good. */
export async function failProof(
  queue: WorkQueue,
  { runId, screenshots }: Pick<CaptureJob, "runId" | "screenshots">,
  reason: string,
): Promise<void> {
  for (const { id, token } of screenshots)
    await enqueueResult(queue, {
      ...{ kind: "proved", runId, screenshotId: id, token, outcome: "failed", reason },
      ...{ files: [], tried: 0, unkept: 0, captures: 0 },
    });
}

/**
 * Captures a changed page again with files of its baseline, and reports which file causes the change. Errors that say
 * nothing about the page are thrown, so that the job is retried.
 * @throws NoBrowserError
 */
async function proveChange(context: ProofContext, job: ProofJob, signal: AbortSignal): Promise<void> {
  const [screenshot] = job.screenshots;
  if (screenshot === undefined) return;
  const result = await proveCause(proofWorkOf(context, job, screenshot, signal));
  if (signal.aborted) return;
  const { runId } = job;
  await context.report({
    kind: "proved",
    ...{ runId, screenshotId: screenshot.id, token: screenshot.token },
    ...result,
  });
}

function proofWorkOf(
  context: ProofContext,
  job: ProofJob,
  screenshot: JobScreenshot,
  signal: AbortSignal,
): ProofWork {
  const { images, comparing } = context;
  const { capsules, baselineHash, currentHash, colorThreshold, ignoreRegions, diffPixels, suspects } =
    job.proof;
  const hashes = { baseline: baselineHash, current: currentHash };
  const kept = async (hash: string) => {
    const bytes = await getIfKept(images, hash);
    if (bytes === null) throw new ProofEnd("not_kept");
    return bytes;
  };
  return {
    ...{ currentHash, diffPixels, suspects },
    capsule: async side => await readCapsule(await kept(capsules[side])),
    bodies: async wanted => {
      const bodies = new Map<string, Buffer>();
      for (const hash of new Set(wanted)) {
        const body = await getIfKept(images, hash);
        if (body !== null) bodies.set(hash, body);
      }
      return bodies;
    },
    capture: (expected, replace) =>
      captureAgain(context, job, { screenshot, expectedHash: hashes[expected], replace }, signal),
    changedPixels: async (side, { png }) => {
      const options = { colorThreshold, ignoreRegions, signal };
      return (await comparing.compare(await kept(hashes[side]), png, options)).diffPixels;
    },
  };
}

async function captureAgain(
  context: ProofContext,
  job: ProofJob,
  {
    screenshot,
    expectedHash,
    replace,
  }: { screenshot: JobScreenshot; expectedHash: string; replace: FindReplacement | undefined },
  signal: AbortSignal,
): Promise<PooledCapture | CaptureError> {
  const { browsers, tunnels, archives } = context;
  const tunnel = tunnels.of(job);
  const archive = await archives.of(job);
  const visit = {
    ...visitOf(context, job, screenshot, []),
    ...(tunnel && { tunnel }),
    ...(archive && { archive }),
    ...(replace && { replace }),
    states: [{ state: screenshot.state ?? null, baselineHash: expectedHash }],
    isFresh: true,
  };
  const captures = await captureVisit(browsers, `${job.teamId} ${job.runId} proof`, visit, signal);
  signal.throwIfAborted();
  const [captured] = captures ?? [];
  if (captured === undefined) throw new ProofEnd("failed");
  // A browser that was lost says nothing about the page.
  if (captured instanceof CaptureError && captured.retryable) throw captured;
  return captured;
}

/** Returns a stored file, or null if it was deleted. @throws Error if the store doesn't respond */
async function getIfKept(images: ImageStore, hash: string): Promise<Buffer | null> {
  const opened = await images.open(hash);
  if (opened === null) return null;
  opened.stream.destroy();
  return await images.get(hash);
}
