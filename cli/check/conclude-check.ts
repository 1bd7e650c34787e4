import { NOTE_TEXTS } from "../texts/check.ts";
import type { CheckConclusion, CheckedScreenshot, CheckResult } from "./check-result.ts";

/** Counts the screenshots by status, and the minor changes among the unchanged ones. */
export function countScreenshots(
  shots: Iterable<Pick<CheckedScreenshot, "status" | "minor">>,
): CheckResult["counts"] {
  const counts = { unchanged: 0, minor: 0, changed: 0, new: 0, removed: 0, failed: 0 };
  for (const { status, minor } of shots) {
    counts[status] += 1;
    if (minor) counts.minor += 1;
  }
  return counts;
}

/** Returns the conclusion of a check. A failure, which approval can't fix, outweighs a change. */
export function concludeCheck(counts: CheckResult["counts"]): CheckConclusion {
  if (counts.failed > 0) return "failed";
  return counts.changed + counts.new + counts.removed > 0 ? "changed" : "passed";
}

/**
 * Returns a warning if changed baselines are from another browser or system. Such changes say little about
 * the pages.
 */
export function otherBrowserWarning(shots: readonly CheckedScreenshot[], platform: string): string | null {
  const foreign = shots.filter(shot => shot.otherBrowser);
  const browser = foreign[0]?.browser;
  if (!browser) return null;
  const { environment } = NOTE_TEXTS;
  const theirs = new Set(
    foreign.map(({ baseline }) => environment(baseline?.browser ?? null, baseline?.platform ?? null)),
  );
  const compared = shots.filter(shot => shot.baseline !== null && shot.status !== "removed").length;
  const ours = environment(browser, platform);
  const warning = NOTE_TEXTS.otherEnvironments(foreign.length, compared, [...theirs], ours);
  const isOtherSystem = foreign.some(({ baseline }) => baseline?.platform !== platform);
  return isOtherSystem ? `${warning} ${NOTE_TEXTS.renderRemotely}` : warning;
}
