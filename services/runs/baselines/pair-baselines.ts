import type { EntityManager } from "../../../mixins/database.ts";
import type { Region } from "../../../shared/compare/comparison.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { isRoute, keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { VIEWPORT_HEIGHT_PX } from "../../../shared/contracts/capture/viewport.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";
import { findIgnoreRegions, regionOf } from "../noise/noise-region.store.ts";
import type { Run } from "../run.entity.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { blankScreenshot } from "../screenshot.entity.ts";
import type { PlannedScreenshot } from "../submission/plan-screenshots.rule.ts";
import type { Baseline } from "./baseline.entity.ts";
import { findBaselinesAt, findLatestBaselines } from "./baseline.store.ts";
import { type BaselineOrder, type ChosenBaseline, chooseBaseline } from "./choose-baseline.rule.ts";
import { keepWidths, previousPages, type WidthOfPlanned } from "./keep-widths.rule.ts";
import { branchScope } from "./scope.rule.ts";

/** The fields of a submission that determine its baselines. */
type ComparedBody = Pick<SubmitRun, "baselineBranch" | "scm" | "partial">;

/** The candidates for a run's baselines. */
interface Choice {
  order: BaselineOrder;
  /** Latest approvals, one per scope, by page. */
  latest: Map<string, Baseline[]>;
  /** The base branch's approvals at the merge base, by page. */
  atBase: Map<string, Baseline>;
}

/**
 * Returns a new run's planned screenshots with their baselines, followed by the baselines of pages that the run doesn't have.
 */
export async function pairBaselines(
  em: EntityManager,
  run: Run,
  body: ComparedBody,
  pages: readonly (PlannedScreenshot & WidthOfPlanned)[],
): Promise<Screenshot[]> {
  const choice = await readChoice(em, run, body);
  const regions = Map.groupBy(await findIgnoreRegions(em, run.projectId), keyOf);
  const kept = keepWidths(pages, pagesWithBaseline(choice));
  const planned = kept.map(({ hasImageWidth: _, ...screenshot }, position) => ({
    ...blankScreenshot(run.id, position),
    ...screenshot,
    ...chooseByNames(screenshot, choice),
    ignoreRegions: withoutRepeats([
      ...(regions.get(keyOf(screenshot)) ?? []).map(regionOf),
      ...screenshot.ignoreRegions,
    ]),
  }));
  return body.partial ? planned : [...planned, ...removedPages(run, planned, choice)];
}

function pagesWithBaseline(choice: Choice): ScreenshotKey[] {
  const pages = [...choice.latest.values()].flatMap(([first]) => (first ? [pickPage(first)] : []));
  return pages.filter(page => chooseAt(page, choice, choice.order).baselineHash !== null);
}

/** Removes duplicates: a region can be both accepted and configured. */
function withoutRepeats(regions: Region[]): Region[] {
  return [...new Map(regions.map(region => [Object.values(region).join(" "), region])).values()];
}

/** Returns the pages of the base branch that the run doesn't have. Pages of other branches don't count as removed. */
function removedPages(run: Run, planned: Screenshot[], { order, latest, atBase }: Choice): Screenshot[] {
  const all = [...latest.values()].flat();
  const hasOwn = all.some(({ scope }) => scope === order.base);
  const base = hasOwn ? order.base : order.default;
  const mergeBase = hasOwn ? order.mergeBase : null;
  const existing = mergeBase?.known ? [...atBase.values()] : all.filter(({ scope }) => scope === base);
  // A project can have both. Runs of either kind know nothing about the pages of the other.
  const isOfKind = ({ route }: ScreenshotKey) => isRoute(route) === (run.source === "capture");
  const requested = new Set(
    planned.flatMap(screenshot => [screenshot, ...previousPages(screenshot)]).map(keyOf),
  );
  return existing
    .map(pickPage)
    .filter(isOfKind)
    .flatMap(page => {
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
          viewportHeight: VIEWPORT_HEIGHT_PX,
          threshold: run.threshold,
          ...baseline,
          status: "removed" as const,
        },
      ];
    });
}

/** Chooses the baseline of a screenshot: of its name, else of the first previous name that has one. */
function chooseByNames(screenshot: WidthOfPlanned, choice: Choice): ChosenBaseline {
  const names = [screenshot, ...previousPages(screenshot)].map(page => chooseAt(page, choice, choice.order));
  return (
    names.find(({ baselineHash }) => baselineHash !== null) ?? chooseAt(screenshot, choice, choice.order)
  );
}

function chooseAt(page: ScreenshotKey, { latest, atBase }: Choice, order: BaselineOrder): ChosenBaseline {
  return chooseBaseline(latest.get(keyOf(page)) ?? [], atBase.get(keyOf(page)), order);
}

async function readChoice(
  em: EntityManager,
  run: Run,
  { baselineBranch, scm }: ComparedBody,
): Promise<Choice> {
  const baseBranch = baselineBranch ?? (scm?.pr === undefined ? undefined : scm.baseBranch);
  const base = baseBranch === undefined ? run.defaultScope : branchScope(baseBranch);
  const scopes = { base, default: run.defaultScope, own: run.scope };
  const latest = await findLatestBaselines(em, run.projectId, Object.values(scopes));
  const sha = base === run.scope ? undefined : mergeBaseOf(scm);
  const atMergeBase = sha
    ? await findBaselinesAt(em, run.projectId, base, { sha, missing: scm?.missingShas ?? null })
    : null;
  const mergeBase = sha === undefined ? null : { sha, known: atMergeBase !== null };
  return {
    order: { ...scopes, mergeBase },
    latest: Map.groupBy(latest, keyOf),
    atBase: new Map(atMergeBase?.map(baseline => [keyOf(baseline), baseline])),
  };
}

/**
 * Returns the merge base of a submission. Null if it is unknown, undefined if the run is compared with the latest
 * baselines.
 */
function mergeBaseOf(scm: SubmitRun["scm"]): string | null | undefined {
  // Every pull request has a merge base, even if the submitter doesn't know it.
  return scm?.baseSha === undefined && scm?.pr !== undefined ? null : scm?.baseSha;
}
