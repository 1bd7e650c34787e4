import type { RunOutcome, ScreenshotOutcome } from "../../shared/contracts/run-outcomes.ts";
import { findRuns } from "./run.store.ts";
import type { RunsNode } from "./runs-node.ts";
import type { Screenshot } from "./screenshot.entity.ts";
import { findScreenshots } from "./screenshot.store.ts";

/** Some 600 bytes each, well under what a message on the bus may hold. */
const SCREENSHOTS_AT_ONCE = 1_000;

/**
 * How far these runs are, with the screenshots of those that have ended, as many runs' as one answer holds: at least
 * one. For services that watch runs of their own making.
 */
export async function readOutcomes(node: RunsNode, ids: string[]): Promise<RunOutcome[]> {
  const outcomes: RunOutcome[] = [];
  let room = SCREENSHOTS_AT_ONCE;
  for (const { id, status, completedAt } of await findRuns(node.em(), ids)) {
    if (completedAt === null || room <= 0) {
      outcomes.push({ id, status, screenshots: null });
      continue;
    }
    const screenshots = (await findScreenshots(node.em(), id)).map(outcomeOf);
    room -= screenshots.length;
    outcomes.push({ id, status, screenshots });
  }
  return outcomes;
}

function outcomeOf(screenshot: Screenshot): ScreenshotOutcome {
  const { id, route, viewport, status, diffRatio, error, blame } = screenshot;
  const images = {
    baseline: screenshot.baselineHash,
    current: screenshot.hash,
    diff: screenshot.maskHash,
  };
  return { id, route, viewport, status, diffRatio, error, blame, images };
}
