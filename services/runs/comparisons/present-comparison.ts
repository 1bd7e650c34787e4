import { createHash } from "node:crypto";
import { differingPixels } from "../../../shared/compare/comparison.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { ComparedPair, ComparisonView } from "../../../shared/contracts/comparisons/comparisons.ts";
import type { Links } from "../../../shared/links/links.ts";
import { describeFirstCause } from "../../../shared/report/describe-explanation.ts";
import { isMinor } from "../../../shared/report/display-status.ts";
import { type Grouped, groupScreenshots } from "../../../shared/report/group-screenshots.ts";
import { COMPARISON_ERRORS } from "../texts/runs.ts";
import type { MatchedPage } from "./match-pages.rule.ts";
import type { StoredPair } from "./pair.store.ts";
import type { SidePage } from "./side.store.ts";

/** The threshold of a run without one of its own. */
const DEFAULT_THRESHOLD = 0.01;

/** Returns a page of a comparison. @param found its stored comparison, if it needs one and it is known */
export function viewOfPair(
  pages: MatchedPage<SidePage>,
  found: StoredPair | undefined,
  teamId: string,
  links: Links,
): ComparedPair {
  const { base, head } = pages;
  const page = pickPage(pages.page);
  const threshold = head?.threshold ?? base?.threshold ?? DEFAULT_THRESHOLD;
  const link = (hash: string | null | undefined) => (hash ? links.image(teamId, hash) : null);
  const outcome = outcomeOf(pages, found, threshold);
  return {
    id: `page_${createHash("sha256").update(keyOf(page)).digest("hex").slice(0, 16)}`,
    ...page,
    ...outcome,
    threshold,
    base: imageOf(base),
    head: imageOf(head),
    images: {
      current: link(head?.hash),
      baseline: link(base?.hash),
      diff: outcome.status === "failed" ? null : link(found?.maskHash),
    },
  };
}

type Outcome = Pick<
  ComparedPair,
  | "status"
  | "minor"
  | "diffRatio"
  | "diffPixels"
  | "faintPixels"
  | "regions"
  | "fingerprint"
  | "explanation"
  | "error"
>;

const NOTHING = {
  ...{ minor: false, diffRatio: null, diffPixels: null, faintPixels: 0, regions: [] },
  ...{ fingerprint: null, explanation: null, error: null },
};

function outcomeOf(
  { base, head }: MatchedPage<SidePage>,
  found: StoredPair | undefined,
  threshold: number,
): Outcome {
  const failed = [base, head].find(side => side !== null && side.hash === null);
  if (failed) return { ...NOTHING, status: "failed", error: COMPARISON_ERRORS.notCaptured(failed.error) };
  if (!base) return { ...NOTHING, status: "added" };
  if (!head) return { ...NOTHING, status: "removed" };
  if (base.hash === head.hash) return { ...NOTHING, status: "unchanged", diffRatio: 0, diffPixels: 0 };
  if (found?.error) return { ...NOTHING, status: "failed", error: found.error };
  if (!found?.comparedAt) return { ...NOTHING, status: "comparing" };
  const { diffPixels, diffRatio, faintPixels, regions, fingerprint, explanation } = found;
  const isChanged = (diffRatio ?? 0) > threshold;
  return {
    status: isChanged ? "changed" : "unchanged",
    minor: isMinor(!isChanged, differingPixels(found)),
    ...{ diffRatio, diffPixels, faintPixels, regions, fingerprint, explanation, error: null },
  };
}

function imageOf(page: SidePage | null): ComparedPair["base"] {
  if (!page) return null;
  const { runId, screenshotId, environment, at, width, height, browser } = page;
  return { runId, screenshotId, environment, at: at?.toISOString() ?? null, width, height, browser };
}

/** Returns the numbers of pages by status. */
export function countPairs(pairs: readonly ComparedPair[]): ComparisonView["counts"] {
  const counts = { unchanged: 0, minor: 0, changed: 0, added: 0, removed: 0, failed: 0, comparing: 0 };
  for (const { status, minor } of pairs) {
    counts[status] += 1;
    if (minor) counts.minor += 1;
  }
  return counts;
}

/** Groups changed pages that have the same change or the same causes, largest group first. */
export function groupPairs(pairs: readonly ComparedPair[]): ComparisonView["groups"] {
  const changed = pairs
    .filter(({ status }) => status === "changed")
    .map((pair): ComparedPair & Grouped => {
      return { ...pair, status: "changed", stable: true, review: null, carried: null };
    });
  return groupScreenshots(changed).flatMap(({ stacks }) =>
    stacks.map(stack => ({
      cause: describeFirstCause(stack[0]?.explanation),
      pages: stack.map(({ id }) => id),
    })),
  );
}
