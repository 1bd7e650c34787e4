import type { BaselineEntry } from "../../shared/contracts/runs/baselines.ts";
import { ownLink, type Screenshot } from "../api/screenshot.ts";
import { historyTexts } from "../texts/baselines.ts";
import { commonTexts } from "../texts/common.ts";

/** Returns the previous approval of the same branch or pull request, if it has an image. */
function entryBefore(entries: readonly BaselineEntry[], entry: BaselineEntry): BaselineEntry | undefined {
  const older = entries.slice(entries.indexOf(entry) + 1);
  return older.find(({ branch, pr, image }) => branch === entry.branch && pr === entry.pr && image !== null);
}

interface Before {
  image: string | null;
  width: number | null;
  height: number | null;
  what: string;
}

/**
 * Returns an approval and the previous baseline as a screenshot for the stage. The regions and the mask are
 * included if these are the two images that were compared then.
 */
export function comparisonOf(entries: readonly BaselineEntry[], entry: BaselineEntry): Screenshot {
  const { id, route, state, environment, viewport, change, width, height } = entry;
  const before = baselineBefore(entries, entry);
  const isCompared = change !== null && before?.image === change.images.baseline;
  return {
    ...{ id, route, state, environment, viewport, width, height },
    status: entry.removed ? "removed" : before ? "changed" : "new",
    baseline: before && {
      runId: entry.runId,
      reason: before.what,
      width: before.width ?? 0,
      height: before.height ?? 0,
    },
    images: {
      current: ownLink(entry.image),
      baseline: ownLink(before?.image ?? null),
      diff: isCompared ? ownLink(change.images.diff) : null,
    },
    regions: isCompared ? change.regions : [],
    minor: false,
    diffRatio: isCompared ? change.diffRatio : null,
    ...{ diffPixels: null, fingerprint: null, stable: true, moving: [], attempts: 1, error: null },
    ...{ browser: entry.browser, notes: [], review: null, reviews: [], carried: null, ownDecision: null },
  };
}

function baselineBefore(entries: readonly BaselineEntry[], entry: BaselineEntry): Before | null {
  const older = entryBefore(entries, entry);
  if (older)
    return {
      image: older.image,
      width: older.width,
      height: older.height,
      what: historyTexts.previousApproval,
    };
  const { change } = entry;
  if (!change) return null;
  return {
    image: change.images.baseline,
    width: change.width,
    height: change.height,
    what: historyTexts.baselineThen,
  };
}

/** Returns `main` or `#7`. */
export function scopeInShort({ branch, pr }: Pick<BaselineEntry, "branch" | "pr">): string {
  return pr === null ? (branch ?? "") : commonTexts.pullRequest(pr);
}
