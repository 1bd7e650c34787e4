import type { CheckConclusion, CheckedShot, CheckResult } from "./check-result.ts";

/** How many screenshots there are of each status, and how many of the unchanged ones are minor changes. */
export function countShots(shots: Iterable<Pick<CheckedShot, "status" | "minor">>): CheckResult["counts"] {
  const counts = { unchanged: 0, minor: 0, changed: 0, new: 0, removed: 0, failed: 0 };
  for (const { status, minor } of shots) {
    counts[status] += 1;
    if (minor) counts.minor += 1;
  }
  return counts;
}

/** What a check comes to: what no approval mends goes before what one would. */
export function concludeCheck(counts: CheckResult["counts"]): CheckConclusion {
  if (counts.failed > 0) return "failed";
  return counts.changed + counts.new + counts.removed > 0 ? "changed" : "passed";
}

/** Said once where baselines of another browser or system differ, which is no news of the pages. */
export function otherBrowserWarning(shots: readonly CheckedShot[], platform: string): string | null {
  const strange = shots.filter(shot => shot.otherBrowser);
  const browser = strange[0]?.browser;
  if (!browser) return null;
  const theirs = new Set(strange.map(({ baseline }) => `${baseline?.browser} on ${baseline?.platform}`));
  const compared = shots.filter(shot => shot.baseline !== null && shot.status !== "removed").length;
  return (
    `${strange.length} of ${compared} baselines were made with ${[...theirs].join(" and ")} and differ here, where it is ` +
    `${browser} on ${platform}. Text drawn differently can be all there is to it: check where the baselines are made, ` +
    "or look at the report and approve them anew."
  );
}
