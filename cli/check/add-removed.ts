import { type Baseline, type BaselinesToCompare, keyOf } from "../baselines/baselines.ts";
import { mapBounded } from "../map-bounded.ts";
import { NOTE_TEXTS } from "../texts/check.ts";
import type { CheckFolder } from "./check-folder.ts";
import type { CheckedShot, Shot } from "./check-result.ts";
import { findRenames } from "./find-renames.ts";
import { baselineFacts, blankShot } from "./judge-shot.ts";
import { type Selection, selects } from "./select-shots.ts";

/** Images copied at once: each is in memory for a moment. */
const READ_AT_ONCE = 8;

/**
 * Adds the baselines that no route of the configuration has any more, and finds new screenshots that are one of these
 * renamed. They are the folder's own, also where a branch's are compared with: what only the branch has is a page that
 * this branch has not yet, or one whose removal was approved here.
 */
export async function addRemoved(
  taken: readonly CheckedShot[],
  known: {
    /** Every screenshot that the configuration asks for, selected or not. */
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

/** A copy of a baseline's image for the report, which stays when the baseline goes; null where it is unreadable. */
export async function keepBaseline(folder: CheckFolder, baseline: Baseline): Promise<string | null> {
  const png = await baseline.read().catch(() => null);
  return png && (await folder.keep(baseline, "baseline", png, baseline.hash));
}
