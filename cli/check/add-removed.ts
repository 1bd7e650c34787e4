import { type Baseline, type BaselinesToCompare, keyOf } from "../baselines/baselines.ts";
import { mapBounded } from "../map-bounded.ts";
import { NOTE_TEXTS } from "../texts/check.ts";
import type { CheckFolder } from "./check-folder.ts";
import type { CheckedShot, Shot } from "./check-result.ts";
import { findRenames } from "./find-renames.ts";
import { baselineFacts, blankShot } from "./judge-shot.ts";
import { type Selection, selects } from "./select-shots.ts";

/** Each image is in memory for a moment. */
const READ_AT_ONCE = 8;

/**
 * Adds the baselines whose route was removed from the configuration, and detects new screenshots that are
 * renamed ones. Uses the folder's own baselines, even when comparing with a branch. A baseline that only the
 * branch has is either new there, or was removed here by an approval.
 */
export async function addRemoved(
  taken: readonly CheckedShot[],
  known: {
    /** All screenshots of the configuration, selected or not. */
    all: readonly Shot[];
    baselines: BaselinesToCompare;
    folder: CheckFolder;
    request: { selection?: Selection | undefined; config: { threshold: number } };
  },
): Promise<CheckedShot[]> {
  const asked = new Set(known.all.map(keyOf));
  const { compared, here } = known.baselines;
  const gone = (here ?? compared).all().filter(baseline => !asked.has(keyOf(baseline)));
  const isMeant = selects(known.request.selection ?? {});
  const shots = findRenames(taken, gone);
  const renamed = new Map(
    shots.map(({ renamedFrom, route, viewport }) => [`${viewport} ${renamedFrom}`, route]),
  );
  const removed = await mapBounded(gone.filter(isMeant), READ_AT_ONCE, async baseline => {
    const { route, viewport } = baseline;
    const { threshold } = known.request.config;
    const blank = blankShot({ route, viewport, threshold, ignoreRegions: [] });
    const to = renamed.get(keyOf(baseline));
    return {
      ...blank,
      status: "removed" as const,
      baseline: baselineFacts(baseline),
      files: { ...blank.files, baseline: await keepBaseline(known.folder, baseline) },
      notes: to === undefined ? [] : [NOTE_TEXTS.renamedTo(to)],
    };
  });
  return [...shots, ...removed];
}

/**
 * Copies a baseline's image for the report, so that it outlives the baseline. Returns null if it is
 * unreadable.
 */
export async function keepBaseline(folder: CheckFolder, baseline: Baseline): Promise<string | null> {
  const png = await baseline.read().catch(() => null);
  return png && (await folder.keep(baseline, "baseline", png, baseline.hash));
}
