import { NOTE_TEXTS } from "../texts/check.ts";
import type { CheckedScreenshot } from "./check-result.ts";

/**
 * Pairs new screenshots with removed baselines of identical pixels and width: these routes were renamed.
 * @param captures the capture hashes of `removed`, in its order
 */
export function findRenames(
  shots: readonly CheckedScreenshot[],
  removed: readonly { route: string; viewport: number; capture: string | null }[],
): CheckedScreenshot[] {
  const left = [...removed];
  return shots.map(shot => {
    if (shot.status !== "new") return shot;
    const index = left.findIndex(
      ({ viewport, capture }) => viewport === shot.viewport && capture !== null && capture === shot.hash,
    );
    const [old] = index < 0 ? [] : left.splice(index, 1);
    if (!old) return shot;
    const note = NOTE_TEXTS.renamedFrom(old.route);
    return { ...shot, renamedFrom: old.route, notes: [...shot.notes, note] };
  });
}
