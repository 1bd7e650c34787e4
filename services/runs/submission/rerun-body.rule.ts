import type { RunOptions } from "../../../shared/contracts/capture/capture-options.ts";
import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { Intent } from "../../../shared/contracts/runs/intent.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";
import type { Run } from "../run.entity.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { optionsOfRoutes } from "./options-of-routes.rule.ts";
import { planScreenshots } from "./plan-screenshots.rule.ts";

/** The fields of a run that its repetition has too. */
type Repeated = Pick<
  Run,
  "url" | "project" | "branch" | "scm" | "threshold" | "archive" | "submitted" | "intent"
>;

/** A page to capture again. */
type RepeatedPage = ScreenshotKey & Pick<Screenshot, "viewportHeight">;

/**
 * Returns the body of a run that captures these pages again, with the same commit, options and threshold. The code-host
 * app's check stays with the first run.
 * @param regions regions that capture each page. Empty for any renderer
 * @param isWhole whether it captures all pages of the run. Otherwise, no page counts as removed
 */
export function rerunBody(
  { url, project, branch, scm, threshold, archive, submitted, intent }: Repeated,
  { options, regions }: { options: RunOptions; regions: readonly string[] },
  pages: readonly RepeatedPage[],
  isWhole: boolean,
): SubmitRun {
  const routes = [...new Set(pages.map(({ route }) => route))];
  const plan = { threshold, routes, options: optionsOfRoutes({ routes, options }) };
  const { checkRunId: _checkRunId, ...commit } = scm ?? {};
  const { missingShas } = submitted ?? {};
  return {
    ...{ ...plan, url, project, rerun: true },
    viewports: viewportsOf(pages, planScreenshots({ ...plan, viewports: [] }, null, regions)),
    partial: isWhole ? (submitted?.partial ?? true) : true,
    ...(branch !== null && { branch }),
    ...(submitted?.baselineBranch !== undefined && { baselineBranch: submitted.baselineBranch }),
    ...(scm && {
      scm: {
        ...{ ...commit, owner: scm.owner, repo: scm.repo, sha: scm.sha },
        ...(missingShas && { missingShas }),
      },
    }),
    ...(archive !== null && { archive }),
    ...(intent && { intent: pickTerms(intent) }),
  };
}

/** Returns the run's viewports. Routes and environments with viewports of their own keep them in their options. */
function viewportsOf(
  pages: readonly RepeatedPage[],
  ofOptions: readonly ScreenshotKey[],
): SubmitRun["viewports"] {
  const own = new Set(ofOptions.map(keyOf));
  const heights = new Map(
    pages
      .filter(page => !own.has(keyOf(page)))
      .map(({ viewport, viewportHeight }) => [viewport, viewportHeight]),
  );
  return [...heights].map(([width, height]) => ({ width, height }));
}

function pickTerms({ routes, selectors, words }: Intent): SubmitRun["intent"] {
  return { routes, selectors, words };
}
