import type { EntityManager } from "../../../mixins/database.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";
import { applyRules, groupRules, rulesOf } from "../noise/ignore-rule.rule.ts";
import { findActiveRules } from "../noise/noise-region.store.ts";
import type { Run } from "../run.entity.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { blankScreenshot } from "../screenshot.entity.ts";
import type { PlannedScreenshot } from "../submission/plan-screenshots.rule.ts";
import { findBaselinesAt, findLatestBaselines } from "./baseline.store.ts";
import { type Choice, chooseAt } from "./choose-at.ts";
import type { ChosenBaseline } from "./choose-baseline.rule.ts";
import { keepWidths, previousPages, type WidthOfPlanned } from "./keep-widths.rule.ts";
import { removedPages } from "./removed-pages.ts";
import { branchScope } from "./scope.rule.ts";

/** The fields of a submission that determine its baselines. */
type ComparedBody = Pick<SubmitRun, "baselineBranch" | "scm" | "partial">;

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
  const rules = groupRules(await findActiveRules(em, run.projectId));
  const kept = keepWidths(pages, pagesWithBaseline(choice));
  const planned = kept.map(({ hasImageWidth: _, scaleFactor = null, ...screenshot }, position) => ({
    ...blankScreenshot(run.id, position),
    ...screenshot,
    ...chooseByNames(screenshot, choice),
    ...applyRules(screenshot, rulesOf(screenshot, rules), scaleFactor),
  }));
  return body.partial ? planned : [...planned, ...removedPages(run, planned, choice)];
}

function pagesWithBaseline(choice: Choice): ScreenshotKey[] {
  const pages = [...choice.latest.values()].flatMap(([first]) => (first ? [pickPage(first)] : []));
  return pages.filter(page => chooseAt(page, choice, choice.order).baselineHash !== null);
}

/** Chooses the baseline of a screenshot: of its name, else of the first previous name that has one. */
function chooseByNames(screenshot: WidthOfPlanned, choice: Choice): ChosenBaseline {
  const names = [screenshot, ...previousPages(screenshot)].map(page => chooseAt(page, choice, choice.order));
  return (
    names.find(({ baselineHash }) => baselineHash !== null) ?? chooseAt(screenshot, choice, choice.order)
  );
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
