import { forEachBatch } from "../../shared/async.ts";
import type { BrowserPool } from "../../shared/capture/browser/browser-pool.ts";
import type { CaptureFailure } from "../../shared/capture/capture-failure.ts";
import { captureVisit, type PooledCapture } from "../../shared/capture/capture-in-pool.ts";
import { CaptureError, type VisitRequest } from "../../shared/capture/capture-types.ts";
import { maskTokens } from "../../shared/capture/diagnostics/mask-tokens.ts";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { CaptureJob, JobScreenshot, ResultJob } from "../../shared/contracts/runs/jobs.ts";
import { traced } from "../../shared/tracing/work-scope.ts";
import type { ArchiveSites } from "./archive-sites.ts";
import { loadedPaths } from "./loaded-paths.rule.ts";
import type { SiteTunnels } from "./site-tunnels.ts";
import { storyRequestOf } from "./story-request-of.ts";

/** More runs than a node renders at the same time. A deleted entry costs one message. */
const MAX_STARTED_RUNS = 1_000;
/** Bodies that are stored at the same time. */
const BODY_CONCURRENCY = 4;

/** Failures that say nothing about the page: its browser was lost each time, or the node doesn't have it. */
const NODE_FAILURES: ReadonlySet<CaptureFailure> = new Set(["browser_lost", "browser_missing"]);

/** The dependencies of a renderer. */
export interface RendererContext {
  browsers: BrowserPool;
  images: ImageStore;
  /** Runs that this node has reported as started. */
  startedRuns: Set<string>;
  tunnels: SiteTunnels;
  archives: Pick<ArchiveSites, "of">;
  /** Reports a result. Once it returns, the result can't get lost. */
  report(result: ResultJob): Promise<void>;
  /** Called for every captured screenshot. */
  onCapture(captured: PooledCapture): void;
}

/**
 * Captures the screenshots of one job, one viewport after the other, and reports each. They share one warm context,
 * unless the job asks for fresh ones.
 * A page that can't be captured fails only its screenshot. Other errors are thrown, so that the job is retried.
 * @throws NoBrowserError if no browser starts on this node, which isn't the page's fault
 */
export async function captureRoute(
  context: RendererContext,
  job: CaptureJob,
  signal: AbortSignal,
): Promise<void> {
  // The next viewport is captured while the previous screenshots are stored.
  const reports: Promise<void>[] = [];
  const track = (pending: Promise<void>) => {
    // Awaited at the end. An earlier rejection without a handler would end the process.
    pending.catch(() => {});
    reports.push(pending);
  };
  for (const screenshots of Map.groupBy(job.screenshots, ({ viewport }) => viewport).values()) {
    const [first] = screenshots;
    if (signal.aborted || !first) break;
    const { runId } = job;
    if (!context.startedRuns.has(runId)) track(reportStart(context, fieldsOf(job, first)));
    const startedAt = performance.now();
    const tunnel = context.tunnels.of(job);
    const archive = await context.archives.of(job);
    const visit = {
      ...visitOf(context, job, first, screenshots),
      ...(tunnel && { tunnel }),
      ...(archive && { archive }),
    };
    const tags = { viewport: first.viewport, screenshots: screenshots.length };
    const work = () => captureVisit(context.browsers, `${job.teamId} ${runId}`, visit, signal);
    const captures = await traced("capture page", work, { tags });
    // The visit held one slot for all its screenshots.
    const heldMs = Math.round((performance.now() - startedAt) / screenshots.length);
    screenshots.forEach((screenshot, index) => {
      const captured = captures?.[index];
      if (!captured) return;
      const fields = { ...fieldsOf(job, screenshot), heldMs };
      track(traced("store capture", () => reportCapture(context, fields, captured, screenshot, job)));
    });
  }
  await Promise.all(reports);
}

/** Returns the visit that captures these screenshots, which have the same viewport. */
export function visitOf(
  { images }: Pick<RendererContext, "images">,
  { url, site, options, environment, session, secrets, isFresh, keepsBodies, story }: CaptureJob,
  { viewport, height, ignoreSelectors }: JobScreenshot,
  screenshots: JobScreenshot[],
): VisitRequest {
  return {
    ...{ url, viewport, options, isFresh: isFresh === true },
    ...(site !== undefined && { site }),
    ...(keepsBodies && { keepsBodies }),
    ...(height !== undefined && { height }),
    ...(ignoreSelectors && { ignoreSelectors }),
    ...(environment && { environment }),
    ...(session && { session }),
    ...(secrets && { secrets }),
    ...(story && { story: storyRequestOf(story, site ?? url) }),
    states: screenshots.map(({ state = null, baselineHash, needsCapsule, baselineCapsule }) => {
      return {
        ...{ state, baselineHash, capsules: needsCapsule ? "all" : "changed" },
        ...(baselineCapsule !== undefined && { baselineCapsule: () => images.get(baselineCapsule) }),
      };
    }),
  };
}

function fieldsOf({ runId }: CaptureJob, { id, token }: JobScreenshot): ResultFields {
  return { runId, screenshotId: id, token };
}

async function reportCapture(
  context: RendererContext,
  fields: ResultFields & { heldMs: number },
  captured: PooledCapture | CaptureError,
  { baselineHash }: JobScreenshot,
  job: CaptureJob,
): Promise<void> {
  if (!(captured instanceof CaptureError))
    return await storeAndReport(context, fields, captured, baselineHash, job);
  const blame = NODE_FAILURES.has(captured.code) ? "service" : "page";
  const diagnostics = captured.diagnostics && maskTokens(captured.diagnostics);
  const { screenshot } = captured;
  if (screenshot) await context.images.put(screenshot.png);
  await context.report({
    ...{ kind: "failed", ...fields, stage: "capture" },
    ...{ reason: captured.message, blame, diagnostics, steps: captured.steps },
    ...(screenshot && { failureHash: screenshot.hash }),
  });
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
  { story, site, url }: CaptureJob,
): Promise<void> {
  const { png, diagnostics, capsule, bodies, requested, ...facts } = captured;
  const loaded = story?.inputs && requested ? loadedPaths(requested, site ?? url) : null;
  context.onCapture(captured);
  if (captured.hash !== baselineHash) await context.images.put(png);
  await forEachBatch(bodies?.unstored ?? [], BODY_CONCURRENCY, async body => {
    await context.images.put(body);
  });
  const capsuleHash = capsule && (await context.images.put(capsule));
  await context.report({
    kind: "captured",
    ...fields,
    ...facts,
    ...(capsuleHash !== undefined && { capsuleHash }),
    ...(loaded && { loaded }),
    ...(bodies !== undefined && bodies.kept.length > 0 && { bodies: bodies.kept }),
    diagnostics: diagnostics && maskTokens(diagnostics),
  });
}
