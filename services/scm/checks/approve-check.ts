import { type Account, type ApprovalResult, codeOf } from "../cloud-api/cloud-api.ts";
import type { ScmContext } from "../scm-context.ts";
import { APPROVAL_NOTES } from "../texts/comments.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { type Handled, notTriggered } from "../webhooks/answer.ts";
import { advanceCheck } from "./advance-check.ts";
import { findCheckByHostId, leaseCheck, putNote } from "./check.store.ts";
import { namesOtherRun } from "./check-name.rule.ts";
import type { CheckRun } from "./check-run.entity.ts";
import type { NamedCheck } from "./rerun-check.ts";

/**
 * Approves a check's run for the person who pressed the button. The person's role in the team decides, found by the
 * account's number. Write access to the repository is not enough. The check run shows why an approval was refused.
 * @param detailsUrl the report that the check run linked when the button was pressed. An approval of an earlier run, late
 * or replayed, does not count for the current one
 */
export async function approveCheck(
  context: ScmContext,
  { hostId, repoId, detailsUrl }: NamedCheck & { detailsUrl: string | null },
  account: Account,
): Promise<Handled> {
  const check = await findCheckByHostId(context.em(), hostId);
  if (check?.repoId !== repoId) return notTriggered(EVENT_REASONS.notOurs);
  if (check.runId === null) return notTriggered(EVENT_REASONS.noRun);
  if (namesOtherRun(detailsUrl, check.runId)) return notTriggered(EVENT_REASONS.approvedEarlier);
  const { isRecorded, note } = await context
    .cloudOf(check.teamId)
    .approve(check.runId, account)
    .catch(async (error): Promise<ApprovalResult> => {
      const reason = refusalIn(error);
      // Not retried automatically, because the check may have a run by then that the person has not seen.
      if (reason === null) {
        await showNote(context, check, APPROVAL_FAILED);
        throw error;
      }
      return { isRecorded: false, note: reason };
    });
  await showNote(context, check, note);
  // A replay must not repeat it after the approval was withdrawn. One that was refused may be pressed again.
  const once = isRecorded;
  if (note !== null) return { ...notTriggered(note), once };
  const body = { triggered: false, approved: true, runId: check.runId, reason: "Approved" };
  return { status: 200, body, once };
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
