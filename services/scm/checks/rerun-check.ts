import { HostError } from "../code-host/host-error.ts";
import { knownPreview } from "../pull-requests/preview-cache.ts";
import type { ScmContext } from "../scm-context.ts";
import { CHECK_TEXTS } from "../texts/comments.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { type Handled, notTriggered } from "../webhooks/answer.ts";
import { findCheckByHostId, startAttempt } from "./check.store.ts";
import type { CheckRun } from "./check-run.entity.ts";
import { repeatRefusal } from "./repeat-refusal.ts";
import { leaseAndAdvance } from "./start-check.ts";

/** A check by its number at the code host. `repoId` rejects numbers of other repositories. */
export interface NamedCheck {
  hostId: string;
  repoId: string;
  /** The repository's current default branch, if the event has it. */
  defaultBranch?: string;
}

/** A replay after the check has ended must not start a run. Its end changes the event of another click. */
const RUNNING: Handled = { ...notTriggered(EVENT_REASONS.running), once: true };

/** Reruns a check that has ended, at the newest known preview URL. */
export async function rerunCheck(
  context: ScmContext,
  { hostId, repoId, defaultBranch }: NamedCheck,
): Promise<Handled> {
  const check = await findCheckByHostId(context.em(), hostId);
  if (check?.repoId !== repoId) return notTriggered(EVENT_REASONS.notOurs);
  const refusal = await refuseRerun(context, check);
  if (refusal !== null) return refusal;
  const { previewUrl, fromTemplate } = knownPreview(context.previews, check) ?? check;
  if (
    !(await startAttempt(context.em(), check, {
      previewUrl,
      fromTemplate,
      ...(defaultBranch !== undefined && { defaultBranch }),
    }))
  )
    return RUNNING;
  return leaseAndAdvance(context, check);
}

/** Returns the response to a click that starts no run, or null. */
async function refuseRerun(context: ScmContext, check: CheckRun): Promise<Handled | null> {
  try {
    const run = check.runId === null ? null : await context.cloudOf(check.teamId).run(check.runId);
    const refusal = await repeatRefusal(context, check, { run });
    return refusal === null ? null : notTriggered(refusal);
  } catch (error) {
    // No attempt is saved yet, so only a retry of the event keeps the click.
    context.warn(error, LOG_MESSAGES.runsNotRead);
    const reason = CHECK_TEXTS.notResponding;
    return { ...notTriggered(reason), unfinished: new HostError(0, reason) };
  }
}
