import { broadcast, emit } from "../../../shared/contracts/bus.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { publishProgress } from "../capture/advance-runs.ts";
import { dispatchCaptures } from "../capture/dispatch-captures.ts";
import { noteActivity } from "../note-activity.ts";
import { getRun, runOf } from "../queries/read-runs.ts";
import { cancelRun as cancelStoredRun, tallyRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { RUN_ERRORS } from "../texts/runs.ts";
import { uncountRun } from "./count-run.ts";

/**
 * Cancels a run. Canceling it again changes nothing. A run of which nothing was rendered doesn't count toward the plan.
 * @throws ServiceError not_found; conflict for a run that ended otherwise
 */
export async function cancelRun(context: RunsContext, caller: Caller, id: string): Promise<RunView> {
  const before = await runOf(context, caller, id);
  const canceled = await cancelStoredRun(context.em(), id);
  if (canceled) {
    context.countEnded("canceled");
    void context.queue.drop(id);
    // Other nodes cancel their own jobs at this event.
    await broadcast(context.bus, "run.canceled", { runId: id });
    context.pendingEvents.add(emit(context.bus, "run.stopped", { runId: id, teamId: before.teamId }));
    if (!canceled.rendered) await uncountRun(context, id);
    await noteActivity(context, caller, "run.canceled", id);
    // Other runs get its places in the queue.
    await dispatchCaptures(context);
    const tally = (await tallyRuns(context.em(), [before])).get(id);
    if (tally) publishProgress(context, { ...before, status: "canceled" }, tally);
  }
  const view = await getRun(context, caller, id);
  if (view.status !== "canceled")
    throw new ServiceError("conflict", RUN_ERRORS.alreadyEnded(id, view.status));
  return view;
}
