import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { Baseline, BaselinesToCompare } from "../../baselines/baselines.ts";
import { mapBounded } from "../../concurrency.ts";
import { NOTE_TEXTS } from "../../texts/check.ts";
import type { CheckFolder } from "../check-folder.ts";
import type { CheckedScreenshot } from "../check-result.ts";
import { baselineFacts, blankScreenshot } from "./checked-screenshot.ts";
import { findRenames } from "./find-renames.ts";
import { type Selection, selects } from "./select-screenshots.ts";

/** Each image is in memory for a moment. */
const READ_CONCURRENCY = 8;

/**
 * Adds the baselines whose route was removed from the configuration, and detects new screenshots that are
 * renamed ones. Uses the folder's own baselines, even when comparing with a branch. A baseline that only the
 * branch has is either new there, or was removed here by an approval.
 */
export async function addRemoved(
  captured: readonly CheckedScreenshot[],
  known: {
    /** All screenshots of the configuration, selected or not. */
    all: readonly ScreenshotKey[];
    baselines: BaselinesToCompare;
    folder: CheckFolder;
    request: { selection?: Selection | undefined; config: { threshold: number } };
  },
): Promise<CheckedScreenshot[]> {
  const configured = new Set(known.all.map(keyOf));
  const { compared, here } = known.baselines;
  const orphaned = (here ?? compared).all().filter(baseline => !configured.has(keyOf(baseline)));
  const isSelected = selects(known.request.selection ?? {});
  const shots = findRenames(captured, orphaned);
  const renamed = new Map(
    shots.flatMap(shot =>
      shot.renamedFrom === null ? [] : [[keyOf({ ...shot, route: shot.renamedFrom }), shot.route]],
    ),
  );
  const removed = await mapBounded(orphaned.filter(isSelected), READ_CONCURRENCY, async baseline => {
    const { threshold } = known.request.config;
    const blank = blankScreenshot({ ...pickPage(baseline), threshold, ignoreRegions: [] });
    const to = renamed.get(keyOf(baseline));
    return {
      ...blank,
      status: "removed" as const,
      baseline: baselineFacts(baseline),
      files: { ...blank.files, baseline: await storeBaseline(known.folder, baseline) },
      notes: to === undefined ? [] : [NOTE_TEXTS.renamedTo(to)],
    };
  });
  return [...shots, ...removed];
}

/**
 * Copies a baseline's image for the report, so that it outlives the baseline. Returns null if it is
 * unreadable.
 */
export async function storeBaseline(folder: CheckFolder, baseline: Baseline): Promise<string | null> {
  const png = await baseline.read().catch(() => null);
  return png && (await folder.store(baseline, "baseline", png, baseline.hash));
}
