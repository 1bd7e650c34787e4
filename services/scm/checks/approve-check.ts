import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { type Account, codeOf } from "../cloud-api/cloud-api.ts";
import type { ScmContext } from "../scm-context.ts";
import { APPROVAL_NOTES, EVENT_REASONS, LOG_MESSAGES } from "../texts.ts";
import { notTriggered } from "../webhooks/answer.ts";
import { advanceCheck } from "./advance-check.ts";
import { claimCheck, findCheckByHostId, putNote } from "./check.store.ts";
import type { CheckRun } from "./check-run.entity.ts";
import type { NamedCheck } from "./rerun-check.ts";

/**
 * Approves a check's run for somebody who pressed its button, if the person may: the team's own role decides, by the
 * number of the account. That somebody may write to the repository is not enough. Why not is said in the check.
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
      // Not tried again by itself: by then the check may have another run, which nobody has seen.
      if (reason === null) {
        await say(context, check, NOT_TAKEN);
        throw error;
      }
      return reason;
    });
  await say(context, check, refusal);
  return refusal === null
    ? { status: 200, body: { triggered: false, approved: true, runId: check.runId, reason: "Approved" } }
    : notTriggered(refusal);
}

const NOT_TAKEN = APPROVAL_NOTES.failed;

/** Has the check say this above all else. */
async function say(context: ScmContext, check: CheckRun, note: string | null): Promise<void> {
  await putNote(context.em(), check, note);
  const claimed = await claimCheck(context.em(), check.id);
  if (claimed)
    await advanceCheck(context, claimed).catch(error => context.warn(error, LOG_MESSAGES.approvalNotShown));
}

/** What the state of the run forbids is for the person to know; null for other faults, which are ours. */
function refusalIn(error: unknown): string | null {
  if (error instanceof Error && ["conflict", "not_found", "forbidden"].includes(codeOf(error) ?? ""))
    return error.message;
  return null;
}
