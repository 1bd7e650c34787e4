import type { ProofTask } from "../../../shared/contracts/runs/proof.ts";
import { findCapsulePairs } from "../capsules/capsule.store.ts";
import { captureSettings, jobScreenshot } from "../capture/capture-job.ts";
import { renderingOf } from "../capture/rendering-of.rule.ts";
import type { Run } from "../run.entity.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { secretsOfJob } from "../secrets/secrets-of-job.ts";
import { PROOF_ERRORS } from "../texts/runs.ts";
import { findKeptOptions } from "./proof.store.ts";

/** Returns the id of the job that proves the cause of a screenshot's change. */
export function proofJobId(screenshotId: string): string {
  return `prove-${screenshotId}`;
}

/**
 * Queues the job that proves the cause of a screenshot's change.
 * @param isDryRun whether it only finds out if the proof is possible
 * @returns why the proof is not possible; null if the job is queued
 */
export async function dispatchProof(
  context: RunsContext,
  run: Run,
  screenshot: Screenshot,
  { attempt = 1, isDryRun = false } = {},
): Promise<string | null> {
  const em = context.em();
  const task = await taskOf(context, run, screenshot);
  if (typeof task === "string") return task;
  const rendering = renderingOf(run, screenshot.region);
  if (!canProve(context, screenshot.region, rendering)) return PROOF_ERRORS.noRenderer;
  const options = await findKeptOptions(em, run.id);
  if (options === null) return PROOF_ERRORS.tooOld;
  const captured = { ...run, options };
  const settings = captureSettings(captured, screenshot);
  const secrets = await secretsOfJob(em, run, settings);
  if ("refusal" in secrets) return secrets.refusal;
  if (isDryRun) return null;
  const job = {
    runId: run.id,
    teamId: run.teamId,
    ...settings,
    ...secrets,
    ...(run.archive !== null && {
      archive: run.archive,
      ...(options.allowHosts && { allowHosts: options.allowHosts }),
    }),
    rendering,
    screenshots: [
      {
        ...jobScreenshot(context, captured, screenshot, task.capsules.baseline),
        token: context.tokens.issue("prove", run.id, screenshot.id),
      },
    ],
    proof: task,
  };
  await context.queue.enqueue("capture", job, {
    id: proofJobId(screenshot.id),
    fairKey: run.id,
    attempt,
  });
  return null;
}

/** Returns whether a renderer can take the job. Others would return it to each other forever. */
function canProve({ fleet, queue }: RunsContext, region: string | null, rendering: string | null): boolean {
  if (region !== null && !fleet.regions().includes(region)) return false;
  return !queue.durable || rendering === null || fleet.isPresent(rendering, region);
}

/** Returns what to prove, or why nothing can be proved. */
async function taskOf(context: RunsContext, run: Run, screenshot: Screenshot): Promise<ProofTask | string> {
  const { id, status, hash, baselineHash, explanation, diffPixels, colorThreshold, ignoreRegions } =
    screenshot;
  if (run.completedAt === null) return PROOF_ERRORS.notEnded;
  if (status !== "changed" || hash === null || baselineHash === null) return PROOF_ERRORS.notChanged;
  if (run.source !== "capture") return PROOF_ERRORS.uploaded;
  if (run.tunnel !== null) return PROOF_ERRORS.tunnel;
  const capsules = (await findCapsulePairs(context.em(), [id])).get(id);
  if (capsules === undefined) return PROOF_ERRORS.notExplained;
  return {
    capsules,
    baselineHash,
    currentHash: hash,
    colorThreshold,
    ignoreRegions,
    diffPixels: diffPixels ?? 0,
    suspects: (explanation?.causes ?? []).flatMap(({ file }) => file?.url ?? []),
  };
}
