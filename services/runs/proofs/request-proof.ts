import { isFinal, PROOF_BOUNDS, type ProofView } from "../../../shared/contracts/runs/proof.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { noteActivity, pageDetails } from "../note-activity.ts";
import { findRun } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { findScreenshot } from "../screenshot.store.ts";
import { countRun, uncountRun } from "../submission/count-run.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { PROOF_ERRORS } from "../texts/runs.ts";
import { dispatchProof } from "./dispatch-proof.ts";
import { viewOfProof } from "./present-proof.ts";
import { countRecentProofs, findProofs, type StoredProof, startProof } from "./proof.store.ts";

/**
 * Starts to prove which file causes a screenshot's change. A proof that runs, or whose outcome can't change, is
 * returned as it is. It counts as a run with one screenshot.
 * @throws ServiceError not_found; conflict if nothing can be proved; plan_limit_exceeded; rate_limited
 */
export async function requestProof(
  context: RunsContext,
  caller: Caller,
  { id }: { id: string },
): Promise<ProofView> {
  const em = context.em();
  const screenshot = await findScreenshot(em, id);
  const run = screenshot && (await findRun(em, caller.teamId, screenshot.runId));
  if (!screenshot || !run) throw notFound("screenshot", id);
  const known = await findProof(context, id);
  if (known && (known.result === null || isFinal(known.result.outcome))) return viewOfProof(known);
  const refusal = await dispatchProof(context, run, screenshot, { isDryRun: true });
  if (refusal !== null) throw new ServiceError("conflict", refusal);
  await countRun(context, { id, teamId: run.teamId, screenshots: 1 }, null);
  const isStarted = await start(context, caller, run, screenshot).catch(async error => {
    // An earlier proof of the screenshot stays counted.
    if (!known) await uncountRun(context, id);
    throw error;
  });
  if (isStarted) {
    // A lost job is queued again later. An earlier proof of the screenshot may have used the first attempts.
    await dispatchProof(context, run, screenshot, { attempt: Date.now() }).catch(error =>
      context.warn(error, LOG_MESSAGES.proofNotQueued(id)),
    );
    await noteActivity(context, caller, "proof.started", run.id, {
      project: run.project,
      ...pageDetails(screenshot),
    });
  }
  const proof = await findProof(context, id);
  if (!proof) throw notFound("screenshot", id);
  return viewOfProof(proof);
}

function start(
  context: RunsContext,
  caller: Caller,
  run: { id: string; teamId: string },
  { id: screenshotId }: Screenshot,
): Promise<boolean> {
  return context.em().transactional(async tx => {
    if ((await countRecentProofs(tx, run.teamId)) >= PROOF_BOUNDS.perMinute)
      throw new ServiceError("rate_limited", PROOF_ERRORS.tooMany(PROOF_BOUNDS.perMinute), {
        retryAfterSeconds: 60,
      });
    return await startProof(tx, run, { screenshotId, requestedBy: caller.actor.name });
  });
}

async function findProof({ em }: RunsContext, id: string): Promise<StoredProof | undefined> {
  return (await findProofs(em(), [id])).get(id);
}
