import { BOUNDS } from "../../../shared/contracts/capture/bounds.ts";
import type { RunWarning } from "../../../shared/contracts/runs/run-warning.ts";
import type { RunProgress, RunView } from "../../../shared/contracts/runs/runs.ts";
import type { Links } from "../../../shared/links/links.ts";
import type { RunTally } from "../capture/conclude.rule.ts";
import type { Run } from "../run.entity.ts";
import { RUN_WARNINGS } from "../texts/runs.ts";

/** Returns the run's progress for clients that watch it. */
export function progressOf(run: Run, tally: RunTally): RunProgress {
  const { total, captured, compared, unchanged, minor, changed, new: added, removed, failed } = tally;
  return {
    id: run.id,
    status: run.status,
    conclusion: run.conclusion,
    progress: { total, captured, compared },
    counts: { unchanged, minor, changed, new: added, removed, failed },
    error: run.error,
  };
}

/** Returns a run's notes for reviewers: what it continued without, and how it was captured. */
export function warningsOfRun(
  { warnings, recapturedAt }: Pick<Run, "warnings" | "recapturedAt">,
  { otherRendering, removed }: RunTally,
): RunWarning[] {
  const messages = [];
  if (recapturedAt !== null) messages.push(RUN_WARNINGS.recaptured);
  if (otherRendering > 0) messages.push(RUN_WARNINGS.otherRenderers(otherRendering));
  if (removed >= BOUNDS.screenshots) messages.push(RUN_WARNINGS.mostRemoved(removed));
  return [...warnings, ...messages.map(message => ({ message, place: null }))];
}

/** Returns a run as in the response of `GET /v1/runs/:id`. */
export function viewOfRun(run: Run, tally: RunTally, links: Links): RunView {
  return {
    ...progressOf(run, tally),
    kind: run.kind,
    source: run.source,
    project: run.project,
    url: run.url,
    branch: run.branch,
    scm: run.scm,
    threshold: run.threshold,
    warnings: warningsOfRun(run, tally),
    causes: run.causes,
    ...(run.stories && { stories: run.stories }),
    ...(run.intent && { intent: run.intent }),
    configuredBy: run.configuredBy,
    submittedBy: run.submitter,
    createdAt: run.createdAt.toISOString(),
    startedAt: run.startedAt?.toISOString() ?? null,
    completedAt: run.completedAt?.toISOString() ?? null,
    links: { self: links.run(run.id), report: links.report(run.id, run.linkGeneration) },
  };
}
