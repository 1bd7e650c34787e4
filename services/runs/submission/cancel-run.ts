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
import { RUN_ERRORS } from "../texts.ts";
import { uncountRun } from "./count-run.ts";

/**
 * Ends a run before its time; canceling it again changes nothing. One of which nothing was rendered counts no more.
 * @throws ServiceError not_found; conflict for a run that has ended otherwise
 */
export async function cancelRun(context: RunsContext, caller: Caller, id: string): Promise<RunView> {
  const before = await runOf(context, caller, id);
  const canceled = await cancelStoredRun(context.em(), id);
  if (canceled) {
    void context.queue.drop(id);
    // What is under way on other nodes, they alone can end.
    await broadcast(context.bus, "run.canceled", { runId: id });
    context.pendingEvents.add(emit(context.bus, "run.stopped", { runId: id, teamId: before.teamId }));
    if (!canceled.rendered) await uncountRun(context, id);
    await noteActivity(context, caller, "run.canceled", id);
    // Its places in the queue are other runs' now.
    await dispatchCaptures(context);
    const tally = (await tallyRuns(context.em(), [before])).get(id);
    if (tally) publishProgress(context, { ...before, status: "canceled" }, tally);
  }
  const view = await getRun(context, caller, id);
  if (view.status !== "canceled")
    throw new ServiceError("conflict", RUN_ERRORS.alreadyEnded(id, view.status));
  return view;
}
