import type { RunOptions } from "../../../shared/contracts/capture/capture-options.ts";
import type { Intent } from "../../../shared/contracts/runs/intent.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";
import type { Run } from "../run.entity.ts";
import type { Screenshot } from "../screenshot.entity.ts";

/** The fields of a run that its repetition has too. */
type Repeated = Pick<
  Run,
  "url" | "project" | "branch" | "scm" | "threshold" | "archive" | "submitted" | "intent"
>;

/**
 * Returns the body of a run that captures these pages again, with the same commit, options and threshold. The code-host
 * app's check stays with the first run.
 * @param isWhole whether it captures all pages of the run. Otherwise, no page counts as removed
 */
export function rerunBody(
  { url, project, branch, scm, threshold, archive, submitted, intent }: Repeated,
  options: RunOptions,
  pages: readonly Pick<Screenshot, "route" | "viewport" | "viewportHeight">[],
  isWhole: boolean,
): SubmitRun {
  const heights = new Map(pages.map(({ viewport, viewportHeight }) => [viewport, viewportHeight]));
  const { checkRunId: _checkRunId, ...commit } = scm ?? {};
  const { missingShas } = submitted ?? {};
  return {
    ...{ url, project, threshold, options, rerun: true },
    routes: [...new Set(pages.map(({ route }) => route))],
    viewports: [...heights].map(([width, height]) => ({ width, height })),
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

function pickTerms({ routes, selectors, words }: Intent): SubmitRun["intent"] {
  return { routes, selectors, words };
}
