import type { BaselineView } from "../../../shared/contracts/runs/baselines.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { publishSoon } from "../events/publish-events.ts";
import { insertBaselineEvent } from "../events/run-events.ts";
import { noteActivity, pageDetails } from "../note-activity.ts";
import { findBaseline, restoreBaseline } from "../queries/history.store.ts";
import { viewOfBaseline } from "../queries/present-baseline.ts";
import type { RunsContext } from "../runs-context.ts";
import { REVIEW_ERRORS } from "../texts/reviews.ts";

/**
 * Makes an earlier approval the current baseline of its branch or pull request again.
 * It was approved once, so it needs no second approval. A current baseline stays as it is. The replaced baseline can be
 * restored in the same way.
 * @throws ServiceError not_found; conflict if a reviewer rejects its screenshot
 */
export async function restore(context: RunsContext, caller: Caller, id: string): Promise<BaselineView> {
  const { teamId } = caller;
  const { isRestored, baseline } = await context.em().transactional(async tx => {
    const isRestored = await restoreBaseline(tx, teamId, id, caller.actor.name);
    const baseline = await findBaseline(tx, teamId, id);
    if (isRestored && baseline) {
      const { project, scope, runId } = baseline;
      await insertBaselineEvent(tx, { teamId, project, scope, cause: "restored", runId, pages: [baseline] });
    }
    return { isRestored, baseline };
  });
  if (!baseline) throw notFound("baseline", id);
  if (isRestored) {
    publishSoon(context);
    const details = { project: baseline.project, ...pageDetails(baseline) };
    await noteActivity(context, caller, "baseline.restored", baseline.runId, details);
  } else if (!baseline.isCurrent) {
    throw new ServiceError("conflict", REVIEW_ERRORS.rejectedBaseline);
  }
  return viewOfBaseline(baseline, teamId, context.links);
}
