import { BOUNDS } from "../../../shared/contracts/capture/bounds.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { isRoute, keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import { VIEWPORT_HEIGHT_PX } from "../../../shared/contracts/capture/viewport.ts";
import type { Run } from "../run.entity.ts";
import { blankScreenshot, type Screenshot } from "../screenshot.entity.ts";
import { removedStory } from "../stories/removed-story.ts";
import type { Baseline } from "./baseline.entity.ts";
import { type Choice, chooseAt } from "./choose-at.ts";
import { previousPages } from "./keep-widths.rule.ts";

/**
 * Returns the pages of the base branch that the run doesn't have, as many as a run can capture. Pages of other branches
 * don't count as removed.
 */
export function removedPages(
  run: Pick<Run, "id" | "source" | "scope" | "threshold">,
  planned: Screenshot[],
  { order, latest, atBase }: Choice,
): Screenshot[] {
  const all = [...latest.values()].flat();
  const hasOwn = all.some(({ scope }) => scope === order.base);
  const base = hasOwn ? order.base : order.default;
  const mergeBase = hasOwn ? order.mergeBase : null;
  const existing = mergeBase?.known ? [...atBase.values()] : all.filter(({ scope }) => scope === base);
  // A project can have all kinds. Runs of one kind know nothing about the pages of the others.
  const kind = kindOf(run, planned);
  const isOfKind = (baseline: Baseline) => kindOfBaseline(baseline) === kind;
  const requested = new Set(
    planned.flatMap(screenshot => [screenshot, ...previousPages(screenshot)]).map(keyOf),
  );
  const removed = existing.filter(isOfKind).flatMap(({ story, ...existing }) => {
    const page = pickPage(existing);
    const scopes = { base, default: base, own: base };
    const baseline = chooseAt(page, { order, latest, atBase }, { ...scopes, mergeBase });
    const removalApproved = latest
      .get(keyOf(page))
      ?.some(({ scope, hash }) => scope === run.scope && hash === null);
    if (requested.has(keyOf(page)) || baseline.baselineHash === null || removalApproved) return [];
    const row = blankScreenshot(run.id, planned.length);
    return [
      {
        ...row,
        ...page,
        story: story && removedStory(page.route, story),
        viewportHeight: VIEWPORT_HEIGHT_PX,
        threshold: run.threshold,
        ...baseline,
        status: "removed" as const,
      },
    ];
  });
  return removed.slice(0, BOUNDS.screenshots);
}

type PageKind = "route" | "story" | "upload";

function kindOf({ source }: Pick<Run, "source">, planned: readonly Screenshot[]): PageKind {
  if (source === "upload") return "upload";
  return planned.some(({ story }) => story !== null) ? "story" : "route";
}

function kindOfBaseline({ route, story }: Baseline): PageKind {
  if (story !== null) return "story";
  return isRoute(route) ? "route" : "upload";
}
