import { forEachIsolated } from "../../../shared/async.ts";
import type { ProofResult } from "../../../shared/contracts/runs/proof.ts";
import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import { forgetOldBodies } from "../capsules/body.store.ts";
import { leaseTask } from "../retention/retention.store.ts";
import { findRunOfAnyTeam } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { findScreenshots } from "../screenshot.store.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { PROOF_ERRORS } from "../texts/runs.ts";
import { dispatchProof, proofJobId } from "./dispatch-proof.ts";
import {
  deleteKeptOptions,
  findUnansweredProofs,
  type StoredProof,
  takeLostProof,
  type UnansweredProof,
} from "./proof.store.ts";
import { recordProofs } from "./record-proofs.ts";

const INTERVAL_MS = 15_000;
const FORGETTING = "forget-bodies";
const FORGETTING_INTERVAL_MS = 10 * 60_000;
/** A page whose proofs got lost this often crashes its renderers. */
const MAX_LOST = 5;

/** Returns the periodic task that recovers lost proofs, and forgets what proofs no longer need. */
export function proofTask(context: RunsContext): PeriodicTask {
  return {
    intervalMs: INTERVAL_MS,
    failed: LOG_MESSAGES.proofsNotRecovered,
    async work() {
      // First, because the options can have secrets, and lost proofs can fail to be recovered.
      await deleteKeptOptions(context.em());
      await forEachIsolated(
        await findUnansweredProofs(context.em()),
        proof => recoverProof(context, proof),
        error => context.warn(error, LOG_MESSAGES.proofsNotRecovered),
      );
      // It sums up the bodies of all teams.
      if (await leaseTask(context.em(), FORGETTING, FORGETTING_INTERVAL_MS)) {
        await forgetOldBodies(context.em());
        context.fullTeams.clear();
      }
    },
  };
}

/** Queues a proof again if it is lost, and ends one that gets no result. */
async function recoverProof(context: RunsContext, proof: UnansweredProof): Promise<void> {
  const { runId, screenshotId, dispatches } = proof;
  const isQueued = (await context.queue.idsOf("capture", runId)).has(proofJobId(screenshotId));
  // A result that isn't written yet may belong to the job.
  if ((await context.queue.idsOf("result", runId)).size > 0) return;
  if (proof.isLate) {
    // Renderers that can't do it would return it to each other forever. Other proofs of the run are queued again.
    if (isQueued) await context.queue.drop(runId);
    await fail(context, proof, PROOF_ERRORS.late);
  } else if (isQueued) return;
  else if (dispatches >= MAX_LOST) await fail(context, proof, PROOF_ERRORS.lost(dispatches));
  else if (await takeLostProof(context.em(), proof)) await dispatchAgain(context, proof);
}

async function dispatchAgain(context: RunsContext, proof: StoredProof): Promise<void> {
  const run = await findRunOfAnyTeam(context.em(), proof.runId);
  const [screenshot] = await findScreenshots(context.em(), proof.runId, [proof.screenshotId]);
  if (!run || !screenshot) return;
  const refusal = await dispatchProof(context, run, screenshot, { attempt: proof.dispatches + 1 });
  if (refusal !== null) await fail(context, proof, refusal);
}

async function fail(
  context: RunsContext,
  { runId, screenshotId }: StoredProof,
  reason: string,
): Promise<void> {
  const result: ProofResult = {
    ...{ outcome: "failed", files: [], tried: 0, unkept: 0, captures: 0 },
    reason,
  };
  await recordProofs(context, [{ runId, screenshotId, ...result }]);
}
