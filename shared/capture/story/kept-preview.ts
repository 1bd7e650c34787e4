import type { Lease } from "../browser/lease.ts";
import type { VisitRequest } from "../capture-types.ts";
import { unfreeze } from "../page/freeze.ts";
import { seedRandom } from "../page/in-page/seed-random.ts";
import { openPage } from "../page/open-page.ts";
import { seedOf } from "../page/page-seed.ts";
import { awaitPageWork } from "../page/page-work.ts";
import { withMovingClock } from "../steps/moving-clock.ts";
import { awaitStory } from "./await-story.ts";
import { readSharedState } from "./in-page/read-shared-state.ts";
import { preloadStory, selectStory } from "./in-page/switch-story.ts";
import type { StoryRequest } from "./story-request.ts";

/** Returns whether the page shows a preview for this story, and no story has left something in it. */
export function hasPreview(lease: Lease, request: VisitRequest): boolean {
  return lease.preview !== null && lease.preview.key === keyOf(request);
}

/** Opens a preview with the story's module, but without a story. @throws CaptureError, StepTimeout, errors of the page */
export async function openPreview(lease: Lease, request: VisitRequest, story: StoryRequest): Promise<void> {
  await openPage(lease, story.previewUrl);
  const { id, globals, timeoutMs } = story;
  await withMovingClock(lease, timeoutMs, () => lease.page.evaluate(preloadStory, { id, globals }));
  lease.preview = { key: keyOf(request), pristine: await sharedState(lease) };
}

/** Shows the story in the preview, in place of another one. @throws CaptureError */
export async function switchStory(lease: Lease, request: VisitRequest, story: StoryRequest): Promise<void> {
  await unfreeze(lease);
  lease.network.startStep();
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
  await openPreview(lease, request, story);
  lease.preview = null;
  await switchStory(lease, request, story);
}

/** Gives the preview up if a story has left something in it for the next one. */
export async function checkPreview(lease: Lease): Promise<void> {
  if (lease.preview !== null && (await sharedState(lease)) !== lease.preview.pristine) lease.preview = null;
}

async function sharedState(lease: Lease): Promise<string> {
  return await awaitPageWork(lease, lease.page.evaluate(readSharedState));
}

/** Stories with equal keys differ only in what the preview can switch. */
function keyOf({ story, viewport, height, environment, options }: VisitRequest): string {
  return JSON.stringify([story?.previewUrl, story?.group, viewport, height, environment, options]);
}
