import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { toldPreview } from "../pull-requests/preview-cache.ts";
import type { ScmContext } from "../scm-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { beginAttempt } from "./check.store.ts";
import type { CheckRun, Preview } from "./check-run.entity.ts";
import type { CheckState } from "./check-state.rule.ts";

/**
 * Where a check is to be run anew although nobody pressed its button: at the address that a provider told, of which the
 * template's was a guess, or for another base. Null when its attempt stands.
 */
export function nextPreview(context: ScmContext, check: CheckRun, state: CheckState): Preview | null {
  const told =
    check.fromTemplate && cameToNothing(check, state) ? toldPreview(context.previews, check) : null;
  return told ?? (isOfAnotherBase(check, state) ? check : null);
}

/** Whether there is nothing yet of what somebody could look at, nor will be. */
function cameToNothing({ conclusion }: CheckRun, state: CheckState): boolean {
  if (state.kind === "settled") return state.run.status === "failed";
  if (state.kind === "gone") return conclusion === "failure";
  return state.kind !== "told";
}

/** Whether the pull request is to be merged into another branch than when its run was asked for. */
function isOfAnotherBase({ pull }: CheckRun, state: CheckState): boolean {
  if (state.kind !== "running" && state.kind !== "settled") return false;
  const { scm } = state.run;
  // A run of somebody else's may name none, or be of another pull request at the commit.
  return (
    pull !== null && scm?.baseBranch !== undefined && scm.pr === pull.number && scm.baseBranch !== pull.base
  );
}

/** Begins a claimed check's next attempt, whatever came of this one. @returns whether it has this one still */
export async function restartCheck(
  context: ScmContext,
  check: CheckRun,
  before: CheckState,
  { previewUrl, fromTemplate }: Preview,
): Promise<boolean> {
  if (!(await beginAttempt(context.em(), check, { previewUrl, fromTemplate, mayBeOpen: true }))) return false;
  if (before.kind === "running") await cancelOwn(context, check, before.run);
  const nothing = { runId: null, conclusion: null, outcome: null, note: null, told: null };
  Object.assign(check, { ...nothing, previewUrl, fromTemplate, attempt: check.attempt + 1, tries: 0 });
  return true;
}

/** Ends the run of an attempt that is over, so that it takes nobody's turn. One that somebody else asked for is theirs. */
async function cancelOwn(
  context: ScmContext,
  { hostId, teamId }: CheckRun,
  { id, scm }: RunView,
): Promise<void> {
  if (scm?.checkRunId === undefined || String(scm.checkRunId) !== hostId) return;
  // It has ended meanwhile, or ends by itself.
  await context
    .cloudOf(teamId)
    .cancel(id)
    .catch(error => context.warn(error, LOG_MESSAGES.notCanceled(id)));
}
