import type { Lease } from "../browser/lease.ts";
import type { VisitRequest } from "../capture-types.ts";
import { unfreeze } from "../page/freeze.ts";
import { seedRandom } from "../page/in-page/seed-random.ts";
import { openPage } from "../page/open-page.ts";
import { seedOf } from "../page/page-seed.ts";
import { awaitPageWork } from "../page/page-work.ts";
import { settle } from "../page/settle.ts";
import type { Timings } from "../page/state-captures.ts";
import { TICK_INTERVAL_MS, withMovingClock } from "../steps/moving-clock.ts";
import { awaitStory } from "./await-story.ts";
import { checkSharedState, type Leftovers } from "./in-page/shared-state.ts";
import { preloadStory, selectStory } from "./in-page/switch-story.ts";
import type { KeptPreview, StoryRequest } from "./story-request.ts";

/** The preview without a story, as a page of its stories' settings. */
export type PreviewRequest = Omit<VisitRequest, "states" | "story">;

/**
 * Shows a story in the preview that the page has, or in a new one, until it is settled.
 * @returns whether the page shows nothing of earlier stories, as far as vrs can see
 * @throws CaptureError, StepTimeout, errors of the page
 */
export async function showInPreview(
  lease: Lease,
  request: VisitRequest,
  story: StoryRequest,
  { timings, prepare }: { timings: Timings; prepare(): Promise<void> },
): Promise<boolean> {
  if (!hasPreview(lease, request)) {
    await prepare();
    await timings.of("load", () => openEmptyPreview(lease, { ...request, url: story.previewUrl }));
  }
  if (lease.preview?.group === null) await timings.of("load", () => fillPreview(lease, request, story));
  await timings.of("story", () => switchStory(lease, request, story));
  await timings.of("settle", () => settle(lease, request));
  return await checkPreview(lease);
}

/** Returns whether the page shows a preview for this story, and no story has left something in it. */
function hasPreview(lease: Lease, request: VisitRequest): boolean {
  const wanted = previewOf(request);
  return (
    wanted !== null && lease.preview?.key === wanted.key && [wanted.group, null].includes(lease.preview.group)
  );
}

/** Opens a preview without the module of a story. @throws CaptureError, errors of the page */
export async function openEmptyPreview(lease: Lease, request: PreviewRequest): Promise<void> {
  await openPage(lease, request.url);
  lease.preview = { key: keyOf(request, request.url), group: null };
}

/**
 * Loads the story's module in an empty preview, but shows no story.
 * @throws CaptureError, StepTimeout, errors of the page
 */
async function fillPreview(lease: Lease, request: VisitRequest, story: StoryRequest): Promise<void> {
  const { id, loaded = [], globals, timeoutMs } = story;
  const preload = () => lease.page.evaluate(preloadStory, { id, others: [...loaded], globals });
  // Storybook's preview always needs the clock to become ready.
  await withMovingClock(lease, timeoutMs, preload, TICK_INTERVAL_MS);
  await leftoversIn(lease, true);
  lease.preview = previewOf(request);
}

/** Shows the story in the preview, in place of another one. @throws CaptureError */
async function switchStory(lease: Lease, request: VisitRequest, story: StoryRequest): Promise<void> {
  await unfreeze(lease);
  lease.network.startStep();
  lease.network.missing.clear();
  lease.diagnostics.start();
  const { random } = request.options;
  if (random !== "real") await awaitPageWork(lease, lease.page.evaluate(seedRandom, seedOf(request.url)));
  const { id, args = null, timeoutMs } = story;
  const select = () => lease.page.evaluate(selectStory, { id, args });
  await (args === null ? awaitPageWork(lease, select()) : withMovingClock(lease, timeoutMs, select));
  await awaitStory(lease, story);
}

/** Shows a story whose args no URL can hold in a preview of its own. @throws CaptureError */
export async function openWithArgs(lease: Lease, request: VisitRequest, story: StoryRequest): Promise<void> {
  await openEmptyPreview(lease, { ...request, url: story.previewUrl });
  await fillPreview(lease, request, story);
  lease.preview = null;
  await switchStory(lease, request, story);
}

/**
 * Gives the preview up if a story has left something in it for the next one.
 * @returns whether its story shows nothing of earlier ones, as far as vrs can see
 */
async function checkPreview(lease: Lease): Promise<boolean> {
  const { isMixed, isLasting } = await leftoversIn(lease, false);
  if (isMixed || isLasting) lease.preview = null;
  return !isMixed;
}

async function leftoversIn(lease: Lease, isFirst: boolean): Promise<Leftovers> {
  return await awaitPageWork(lease, lease.page.evaluate(checkSharedState, isFirst));
}

/** Returns the preview that can show a story. Null for a page that isn't a story. */
export function previewOf(request: VisitRequest): KeptPreview | null {
  const { story } = request;
  return story === undefined ? null : { key: keyOf(request, story.previewUrl), group: story.group };
}

function keyOf({ viewport, height, environment, options }: PreviewRequest, url: string): string {
  return JSON.stringify([url, viewport, height, environment, options]);
}
