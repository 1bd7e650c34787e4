import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { NOTE_TEXTS } from "../../texts/check.ts";
import type { CheckedScreenshot } from "../check-result.ts";

/**
 * Pairs new screenshots with removed baselines of identical pixels, state, environment and width: these routes
 * were renamed.
 */
export function findRenames(
  shots: readonly CheckedScreenshot[],
  removed: readonly (ScreenshotKey & { capture: string | null })[],
): CheckedScreenshot[] {
  const left = [...removed];
  return shots.map(shot => {
    if (shot.status !== "new") return shot;
    const index = left.findIndex(
      old => old.capture !== null && old.capture === shot.hash && isSameExceptRoute(old, shot),
    );
    const [old] = index < 0 ? [] : left.splice(index, 1);
    if (!old) return shot;
    const note = NOTE_TEXTS.renamedFrom(old.route);
    return { ...shot, renamedFrom: old.route, notes: [...shot.notes, note] };
  });
}

function isSameExceptRoute(a: ScreenshotKey, b: ScreenshotKey): boolean {
  return a.state === b.state && a.environment === b.environment && a.viewport === b.viewport;
}
