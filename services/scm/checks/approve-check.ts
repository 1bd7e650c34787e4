import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { type Account, codeOf } from "../cloud-api/cloud-api.ts";
import type { ScmContext } from "../scm-context.ts";
import { APPROVAL_NOTES } from "../texts/comments.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { notTriggered } from "../webhooks/answer.ts";
import { advanceCheck } from "./advance-check.ts";
import { findCheckByHostId, leaseCheck, putNote } from "./check.store.ts";
import type { CheckRun } from "./check-run.entity.ts";
import type { NamedCheck } from "./rerun-check.ts";

/**
 * Approves a check's run for the person who pressed the button. The person's role in the team decides, found by the
 * account's number. Write access to the repository is not enough. The check run shows why an approval was refused.
 */
export async function approveCheck(
  context: ScmContext,
  { hostId, repoId }: NamedCheck,
  account: Account,
): Promise<DeliveryAnswer> {
  const check = await findCheckByHostId(context.em(), hostId);
  if (check?.repoId !== repoId) return notTriggered(EVENT_REASONS.notOurs);
  if (check.runId === null) return notTriggered(EVENT_REASONS.noRun);
  const refusal = await context
    .cloudOf(check.teamId)
    .approve(check.runId, account)
    .catch(async error => {
      const reason = refusalIn(error);
      // Not retried automatically, because the check may have a run by then that the person has not seen.
      if (reason === null) {
        await showNote(context, check, APPROVAL_FAILED);
        throw error;
      }
      return reason;
    });
  await showNote(context, check, refusal);
  return refusal === null
    ? { status: 200, body: { triggered: false, approved: true, runId: check.runId, reason: "Approved" } }
    : notTriggered(refusal);
}

const APPROVAL_FAILED = APPROVAL_NOTES.failed;

/** Shows a note at the top of the check run. */
async function showNote(context: ScmContext, check: CheckRun, note: string | null): Promise<void> {
  await putNote(context.em(), check, note);
  const leased = await leaseCheck(context.em(), check.id);
  if (leased)
    await advanceCheck(context, leased).catch(error => context.warn(error, LOG_MESSAGES.approvalNotShown));
}

/**
 * Returns the reason if the run's state or the role forbids the approval. Returns null for other errors, which are
 * ours.
 */
function refusalIn(error: unknown): string | null {
  if (error instanceof Error && ["conflict", "not_found", "forbidden"].includes(codeOf(error) ?? ""))
    return error.message;
  return null;
}
