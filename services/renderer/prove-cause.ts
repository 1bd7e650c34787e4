import { type Capsule, readCapsule } from "../../shared/capture/capsule/capsule.ts";
import { captureVisit, type PooledCapture } from "../../shared/capture/capture-in-pool.ts";
import { CaptureError } from "../../shared/capture/capture-types.ts";
import type { FindReplacement } from "../../shared/capture/network/replace-responses.ts";
import type { ComparePool } from "../../shared/compare/compare-pool.ts";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { CaptureJob, JobScreenshot } from "../../shared/contracts/runs/jobs.ts";
import type { ProofOutcome, ProofResult, ProofTask } from "../../shared/contracts/runs/proof.ts";
import { enqueueResult, type WorkQueue } from "../../shared/contracts/work-queue.ts";
import { type ChangedFile, findChangedFiles, replacementsOf } from "../../shared/prove/changed-files.ts";
import { findCause } from "../../shared/prove/find-cause.ts";
import { captureRoute, type RendererContext, visitOf } from "./capture-route.ts";
import { type ListingContext, listStories } from "./list-stories.ts";

/** A difference has vanished if at most this share of its pixels is left. Pages aren't always equal to the pixel. */
const LEFT_RATIO = 0.01;

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
  await proveCause(context, { ...capture, proof }, signal);
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

/** Ends a proof with an outcome. */
class ProofEnd extends Error {
  readonly outcome: ProofOutcome;
  readonly reason: string | null;

  constructor(outcome: ProofOutcome, reason: string | null = null) {
    super(outcome);
    this.outcome = outcome;
    this.reason = reason;
  }
}

/**
 * Captures a changed page again with files of its baseline, until it is known which file causes the change, and reports
 * the result. Errors that say nothing about the page are thrown, so that the job is retried.
 * @throws NoBrowserError
 */
async function proveCause(context: ProofContext, job: ProofJob, signal: AbortSignal): Promise<void> {
  const [screenshot] = job.screenshots;
  if (screenshot === undefined) return;
  const proof = new Proof(context, job, screenshot, signal);
  const result = await proof.run();
  if (signal.aborted) return;
  const { runId } = job;
  await context.report({
    kind: "proved",
    ...{ runId, screenshotId: screenshot.id, token: screenshot.token },
    ...result,
  });
}

class Proof {
  readonly #context: ProofContext;
  readonly #job: ProofJob;
  readonly #screenshot: JobScreenshot;
  readonly #signal: AbortSignal;
  readonly #result: ProofResult = {
    outcome: "failed",
    files: [],
    tried: 0,
    unkept: 0,
    captures: 0,
    reason: null,
  };

  constructor(context: ProofContext, job: ProofJob, screenshot: JobScreenshot, signal: AbortSignal) {
    this.#context = context;
    this.#job = job;
    this.#screenshot = screenshot;
    this.#signal = signal;
  }

  async run(): Promise<ProofResult> {
    try {
      const files = await this.#prove();
      return { ...this.#result, outcome: files === null ? "not_explained" : "proven", files: files ?? [] };
    } catch (error) {
      if (!(error instanceof ProofEnd)) throw error;
      return { ...this.#result, outcome: error.outcome, reason: error.reason };
    }
  }

  /** @returns URLs of the files that cause the change; null if no changed file does */
  async #prove(): Promise<string[] | null> {
    const { proof } = this.#job;
    const [before, after] = [
      await this.#capsule(proof.capsules.baseline),
      await this.#capsule(proof.capsules.current),
    ];
    const { files, unkept } = findChangedFiles(before, after, proof.suspects);
    const bodies = await this.#bodies(files);
    const usable = files.filter(
      ({ before: was }) => was === null || (was.body !== undefined && bodies.has(was.body)),
    );
    Object.assign(this.#result, {
      tried: usable.length,
      unkept: unkept + files.length - usable.length,
    });
    if (usable.length === 0) throw new ProofEnd(this.#result.unkept > 0 ? "not_kept" : "not_explained");
    await this.#requireSameChange();
    const found = await findCause(usable, async replaced => {
      const captured = await this.#capture(proof.baselineHash, replacementsOf(replaced, after, bodies));
      if (captured instanceof CaptureError) return false;
      const left = await this.#changedPixels(proof.baselineHash, captured);
      return left <= proof.diffPixels * LEFT_RATIO;
    });
    return found?.map(({ url }) => url) ?? null;
  }

  /** Captures the page as it is now. It must look as in the run: otherwise nothing follows from another look. */
  async #requireSameChange(): Promise<void> {
    const { proof } = this.#job;
    const captured = await this.#capture(proof.currentHash, undefined);
    if (captured instanceof CaptureError) throw new ProofEnd("unreachable", captured.message);
    if (captured.hash === proof.currentHash) return;
    if ((await this.#changedPixels(proof.baselineHash, captured)) <= proof.diffPixels * LEFT_RATIO)
      throw new ProofEnd("no_change");
    if ((await this.#changedPixels(proof.currentHash, captured)) > proof.diffPixels * LEFT_RATIO)
      throw new ProofEnd("page_changed");
  }

  async #capture(
    expectedHash: string,
    replace: FindReplacement | undefined,
  ): Promise<PooledCapture | CaptureError> {
    const { browsers, tunnels, archives } = this.#context;
    const job = this.#job;
    this.#result.captures++;
    const tunnel = tunnels.of(job);
    const archive = await archives.of(job);
    const visit = {
      ...visitOf(this.#context, job, this.#screenshot, []),
      ...(tunnel && { tunnel }),
      ...(archive && { archive }),
      ...(replace && { replace }),
      states: [{ state: this.#screenshot.state ?? null, baselineHash: expectedHash }],
      isFresh: true,
    };
    const captures = await captureVisit(browsers, `${job.teamId} ${job.runId} proof`, visit, this.#signal);
    this.#signal.throwIfAborted();
    const [captured] = captures ?? [];
    if (captured === undefined) throw new ProofEnd("failed");
    // A browser that was lost says nothing about the page.
    if (captured instanceof CaptureError && captured.retryable) throw captured;
    return captured;
  }

  async #changedPixels(hash: string, { png }: PooledCapture): Promise<number> {
    const { colorThreshold, ignoreRegions } = this.#job.proof;
    const image = await getIfKept(this.#context.images, hash);
    if (image === null) throw new ProofEnd("not_kept");
    const options = { colorThreshold, ignoreRegions, signal: this.#signal };
    return (await this.#context.comparing.compare(image, png, options)).diffPixels;
  }

  async #capsule(hash: string): Promise<Capsule> {
    const packed = await getIfKept(this.#context.images, hash);
    if (packed === null) throw new ProofEnd("not_kept");
    return await readCapsule(packed);
  }

  async #bodies(files: readonly ChangedFile[]): Promise<Map<string, Buffer>> {
    const bodies = new Map<string, Buffer>();
    for (const { before } of files) {
      if (before?.body === undefined || bodies.has(before.body)) continue;
      const body = await getIfKept(this.#context.images, before.body);
      if (body !== null) bodies.set(before.body, body);
    }
    return bodies;
  }
}

/** Returns a stored file, or null if it was deleted. @throws Error if the store doesn't respond */
async function getIfKept(images: ImageStore, hash: string): Promise<Buffer | null> {
  const opened = await images.open(hash);
  if (opened === null) return null;
  opened.stream.destroy();
  return await images.get(hash);
}
