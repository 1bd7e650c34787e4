import type { UploadedAttachment } from "../../../shared/contracts/builds/attachments.ts";
import type { StoredUpload } from "../../../shared/contracts/builds/uploaded-screenshot.ts";
import { type Diagnostics, isQuiet } from "../../../shared/contracts/capture/diagnostics.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { environmentIn } from "../../../shared/contracts/capture/region.ts";
import type { CarriedView, ReviewView } from "../../../shared/contracts/reviews/review-view.ts";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";
import type { StoredStory, StoryView } from "../../../shared/contracts/runs/stories.ts";
import type { LinkedRun, Links } from "../../../shared/links/links.ts";
import { captureNotes } from "../../../shared/report/capture-notes.ts";
import { cropAroundChanges } from "../../../shared/report/crop.ts";
import type { ReportScreenshot } from "../../../shared/report/report-model.ts";
import { previewUrlOf, storyUrl } from "../../../shared/storybook/story-urls.ts";
import { viewOfUpload } from "../attachments/present-upload.ts";
import { isIntended } from "../intent/match-intent.rule.ts";
import { viewOfProof } from "../proofs/present-proof.ts";
import type { StoredProof } from "../proofs/proof.store.ts";
import type { Review } from "../reviews/review.store.ts";
import { countingReviews } from "../reviews/review-state.rule.ts";
import { isMinorChange } from "../reviews/reviewable.rule.ts";
import type { Run } from "../run.entity.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { DIFFERENT_IN_A_ROW } from "../screenshot.store.ts";
import { RUN_WARNINGS } from "../texts/runs.ts";
import { markNew } from "./new-diagnostics.rule.ts";

/** The run of a screenshot, as its view needs it. */
type ShownRun = LinkedRun & Pick<Run, "teamId" | "url" | "tunnel" | "archive" | "intent">;

/** A screenshot with what its view needs. */
export interface ShownScreenshot {
  screenshot: Screenshot;
  reviews: Review[];
  /** Of the baseline's screenshot; null if unknown. */
  baselineDiagnostics: Diagnostics | null;
  proof: StoredProof | null;
  /** Uploaded attachments by their hashes. */
  attachments: ReadonlyMap<string, UploadedAttachment>;
}

/** Returns a screenshot as in the response of `GET /v1/screenshots/:runId`. */
export function viewOfScreenshot(
  { screenshot, reviews, baselineDiagnostics, proof, attachments }: ShownScreenshot,
  run: ShownRun,
  links: Links,
): ScreenshotView {
  return {
    id: screenshot.id,
    ...pickPage(screenshot),
    status: screenshot.status,
    width: screenshot.width,
    height: screenshot.height,
    diffRatio: screenshot.diffRatio,
    diffPixels: screenshot.diffPixels,
    faintPixels: screenshot.faintPixels,
    minor: isMinorChange(screenshot),
    regions: screenshot.regions,
    ignored: ignoredOf(screenshot),
    raised: raisedOf(screenshot),
    flakeScore: screenshot.flakeScore,
    fingerprint: screenshot.fingerprint,
    explanation: screenshot.explanation,
    ...(run.intent && { intended: isIntended(run.intent, screenshot) }),
    production: productionOf(screenshot, links),
    proof: proof && viewOfProof(proof),
    baseline: baselineOf(screenshot),
    images: imagesOf(screenshot, run, links),
    stable: screenshot.stable,
    moving: screenshot.moving,
    attempts: screenshot.attempts,
    browser: screenshot.browser,
    notes: notesOf(screenshot),
    steps: screenshot.steps,
    diagnostics: diagnosticsOf(screenshot, baselineDiagnostics),
    review: reviewStateOf(screenshot),
    reviews: viewOfReviews(reviews),
    carried: carriedOf(screenshot),
    error: screenshot.error,
    ...(screenshot.upload && { upload: viewOfUpload(screenshot.upload, attachments, { run, links }) }),
    ...(screenshot.story && { story: storyOf(screenshot.story, run, links) }),
  };
}

/** Returns a screenshot for the report. */
export function reportScreenshot(shown: ShownScreenshot, run: ShownRun, links: Links): ReportScreenshot {
  const { screenshot } = shown;
  const view = viewOfScreenshot(shown, run, links);
  const size = { width: screenshot.baselineWidth ?? 0, height: screenshot.baselineHeight ?? 0 };
  return { ...view, stable: view.stable ?? true, baseline: view.baseline && { ...view.baseline, ...size } };
}

function storyOf(story: StoredStory, run: ShownRun, links: Links): StoryView {
  const { id, title, name, args } = story;
  return { id, title, name, args, url: urlOfStory(story, run, links) };
}

/** A local application has no address for people. The service shows archives, as long as the run is kept. */
function urlOfStory(
  story: StoredStory,
  { teamId, archive, tunnel, url, ...run }: ShownRun,
  links: Links,
): string | null {
  if (tunnel !== null) return null;
  if (archive === null) return storyUrl(url, story);
  // A removed story has no module, and isn't in the archive.
  return story.importPath === "" ? null : previewUrlOf(links.site(teamId, archive, run), story);
}

function ignoredOf({ ignoreRegions, ignoredPixels }: Screenshot): ScreenshotView["ignored"] {
  const regions = ignoreRegions.map((region, index) => {
    return { ...region, pixels: ignoredPixels[index] ?? 0 };
  });
  return { pixels: regions.reduce((sum, { pixels }) => sum + pixels, 0), regions };
}

function raisedOf({ raised, threshold }: Screenshot): ScreenshotView["raised"] {
  return raised && { ...raised, to: threshold };
}

function diagnosticsOf({ diagnostics }: Screenshot, baseline: Diagnostics | null): Diagnostics | null {
  return diagnostics === null || isQuiet(diagnostics) ? null : markNew(diagnostics, baseline);
}

function reviewStateOf({
  review: state,
  approvals,
  requiredApprovals,
}: Screenshot): ScreenshotView["review"] {
  return state && { state, approvals, required: requiredApprovals ?? 1 };
}

function viewOfReviews(reviews: Review[]): ReviewView[] {
  const counting = new Set(countingReviews(reviews));
  return reviews.map(review => {
    const { verdict, by, countsAs, reason, noise, at } = review;
    const entry = { verdict, by, countsAs, reason, ...(noise && { noise }) };
    return { ...entry, at: at.toISOString(), stands: counting.has(review) };
  });
}

function carriedOf({ carriedRunId, carriedBy, carriedAt }: Screenshot): CarriedView | null {
  if (carriedRunId === null || carriedAt === null) return null;
  return { runId: carriedRunId, by: carriedBy ?? [], at: carriedAt.toISOString() };
}

function productionOf({ production: mark, ...page }: Screenshot, links: Links): ScreenshotView["production"] {
  if (mark === null) return null;
  const { region = null, ...known } = mark;
  const seen = { ...page, environment: environmentIn(page.environment, region) };
  return { ...known, link: links.moment(known.monitorId, seen, known.lookId) };
}

function baselineOf({
  baselineRunId: runId,
  baselineReason: reason,
  baselineWidth: width,
  baselineHeight: height,
}: Screenshot): ScreenshotView["baseline"] {
  return runId !== null && reason !== null ? { runId, reason, width, height } : null;
}

function imagesOf(screenshot: Screenshot, run: ShownRun, links: Links): ScreenshotView["images"] {
  const link = (hash: string | null) => (hash === null ? null : links.image(run.teamId, hash, run));
  return {
    current: link(screenshot.hash),
    baseline: link(screenshot.baselineHash),
    diff: link(screenshot.maskHash),
    change: changeOf(screenshot, run, links),
    failure: link(screenshot.failureHash),
  };
}

function changeOf(
  { baselineHash, hash, maskHash, regions, ...sizes }: Screenshot,
  run: ShownRun,
  links: Links,
): string | null {
  if (baselineHash === null || hash === null || maskHash === null) return null;
  const crop = cropAroundChanges(regions, {
    width: Math.max(sizes.width ?? 0, sizes.baselineWidth ?? 0),
    height: Math.max(sizes.height ?? 0, sizes.baselineHeight ?? 0),
  });
  const changeImage = crop && { baseline: baselineHash, current: hash, diff: maskHash, crop };
  return changeImage && links.change(run.teamId, changeImage, run);
}

/** Returns what reviewers should know about the test that made a screenshot. */
function notesOfTest({ testFile, line, titlePath = [], retry = 0, note }: StoredUpload): string[] {
  const file = testFile !== undefined && line !== undefined ? `${testFile}:${line}` : testFile;
  const place = [...(file === undefined ? [] : [file]), ...titlePath].join(" › ");
  return [
    ...(place === "" ? [] : [RUN_WARNINGS.test(place)]),
    ...(retry > 0 ? [RUN_WARNINGS.retried(retry)] : []),
    ...(note === undefined ? [] : [note]),
  ];
}

function notesOf(screenshot: Screenshot): string[] {
  const { browser, baselineBrowser, rendering, baselineRendering } = screenshot;
  const notes = captureNotes(screenshot);
  if (screenshot.upload) notes.push(...notesOfTest(screenshot.upload));
  if (screenshot.flaky) {
    notes.push(RUN_WARNINGS.unstable(DIFFERENT_IN_A_ROW));
  }
  if (browser !== null && baselineBrowser !== null && browser !== baselineBrowser) {
    notes.push(RUN_WARNINGS.otherBrowser(baselineBrowser, browser));
  } else if (rendering !== null && baselineRendering !== null && rendering !== baselineRendering) {
    notes.push(RUN_WARNINGS.otherRenderer);
  }
  return notes;
}
