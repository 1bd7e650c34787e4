import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { RunOutcome, ScreenshotOutcome } from "../../../shared/contracts/runs/run-outcomes.ts";
import { describeFirstCause } from "../../../shared/report/describe-explanation.ts";
import { findLatestBaselines } from "../baselines/baseline.store.ts";
import type { Run } from "../run.entity.ts";
import { findRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { findScreenshots } from "../screenshot.store.ts";

/** About 600 bytes each, well below the maximum of a message on the bus. */
const SCREENSHOT_BATCH_SIZE = 1_000;

/**
 * Returns the progress of these runs, for services that watch their own runs. Ended runs come with their screenshots,
 * as many as fit into one answer, but at least one run.
 */
export async function readOutcomes(context: RunsContext, ids: string[]): Promise<RunOutcome[]> {
  const outcomes: RunOutcome[] = [];
  const present = new Set(context.fleet.regions());
  let remaining = SCREENSHOT_BATCH_SIZE;
  for (const run of await findRuns(context.em(), ids)) {
    const { id, project, status, conclusion, completedAt } = run;
    if (completedAt === null || remaining <= 0) {
      outcomes.push({ id, project, status, conclusion, screenshots: null });
      continue;
    }
    const screenshots = await findScreenshots(context.em(), id);
    const outdated = await findOutdated(context, run, screenshots);
    remaining -= screenshots.length;
    outcomes.push({
      ...{ id, project, status, conclusion },
      screenshots: screenshots.map(screenshot => ({
        ...outcomeOf(screenshot, outdated.has(screenshot.id)),
        ...(screenshot.region !== null && !present.has(screenshot.region) && { isRegionAway: true as const }),
      })),
    });
  }
  return outcomes;
}

/** Finds changed screenshots whose baseline is no longer current. */
async function findOutdated(context: RunsContext, run: Run, screenshots: Screenshot[]): Promise<Set<string>> {
  const changed = screenshots.filter(({ status }) => status === "changed");
  if (changed.length === 0 || run.scope !== run.defaultScope) return new Set();
  const latest = await findLatestBaselines(context.em(), run.projectId, [run.scope]);
  const hashes = new Map(latest.map(baseline => [keyOf(baseline), baseline.hash]));
  const outdated = changed.filter(
    screenshot => screenshot.baselineHash !== (hashes.get(keyOf(screenshot)) ?? null),
  );
  return new Set(outdated.map(({ id }) => id));
}

function outcomeOf(screenshot: Screenshot, isOutdated: boolean): ScreenshotOutcome {
  const { id, region, status, diffRatio, faintPixels, error, blame, review, explanation } = screenshot;
  const cause = describeFirstCause(explanation);
  const images = {
    baseline: screenshot.baselineHash,
    current: screenshot.hash,
    diff: screenshot.maskHash,
  };
  const facts = {
    id,
    ...pickPage(screenshot),
    region,
    status,
    diffRatio,
    ...(faintPixels > 0 && { faintPixels }),
    error,
    blame,
    review,
    cause,
    images,
  };
  const responseMs = screenshot.timings?.response ?? null;
  return { ...facts, responseMs, isOutdated, isOtherRenderer: isOtherRenderer(screenshot) };
}

function isOtherRenderer({ rendering, baselineRendering }: Screenshot): boolean {
  return rendering !== null && baselineRendering !== null && rendering !== baselineRendering;
}
