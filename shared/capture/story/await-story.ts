import { setTimeout as delay } from "node:timers/promises";
import type { Lease } from "../browser/lease.ts";
import { CaptureError } from "../capture-types.ts";
import { isSupersededNavigation } from "../page/load-failures.ts";
import { advancePage, awaitPageWork } from "../page/page-work.ts";
import { TICK_MS } from "../steps/moving-clock.ts";
import { STORY_ERRORS } from "../texts.ts";
import { readStory, type StoryProgress } from "./in-page/read-story.ts";
import type { StoryRequest } from "./story-request.ts";

/** A story that takes longer on its own clock waits for something else, such as a worker. */
const BUSY_MS = 1_000;
const POLL_MS = 10;

/**
 * Lets the page live until its story is rendered and its play function is over.
 * @throws CaptureError `story_failed` with the error of the story
 */
export async function awaitStory(lease: Lease, { id, timeoutMs, delayMs }: StoryRequest): Promise<void> {
  const end = performance.now() + timeoutMs;
  lease.clock.requestDeadlineMs = end;
  for (let livedMs = 0; ; livedMs += TICK_MS) {
    const { state, event, message } = await progressOf(lease, id);
    if (state === "done") return await advancePage(lease, delayMs);
    if (state === "failed") throw new CaptureError("story_failed", STORY_ERRORS.failed(event, message));
    if (livedMs >= timeoutMs && performance.now() >= end)
      throw new CaptureError("story_failed", STORY_ERRORS.slow(timeoutMs / 1000));
    if (livedMs >= BUSY_MS) await delay(POLL_MS);
    await advancePage(lease, TICK_MS);
  }
}

/** A page that is just navigating shows no story yet. */
async function progressOf(lease: Lease, id: string): Promise<StoryProgress> {
  return await awaitPageWork(lease, lease.page.evaluate(readStory, id)).catch((error: unknown) => {
    if (isSupersededNavigation(error)) return { state: "pending", event: "", message: "" };
    throw error;
  });
}
