import { knownPreview } from "../pull-requests/preview-cache.ts";
import type { ScmContext } from "../scm-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { startAttempt } from "./check.store.ts";
import type { CheckRun, Preview } from "./check-run.entity.ts";
import type { CheckState } from "./check-state.rule.ts";
import { repeatRefusal } from "./repeat-refusal.ts";

/**
 * Returns the preview for an automatic restart of a check, or null for none. A check restarts if a provider reported
 * the URL that the template guessed wrongly, or if the base changed.
 */
export async function nextPreview(
  context: ScmContext,
  check: CheckRun,
  state: CheckState,
): Promise<Preview | null> {
  const provided =
    check.fromTemplate && isWithoutResult(check, state) ? knownPreview(context.previews, check) : null;
  const next = provided ?? (isOfAnotherBase(check, state) ? check : null);
  const known = state.kind === "running" || state.kind === "ended" ? state : { run: null };
  return next !== null && (await repeatRefusal(context, check, known)) === null ? next : null;
}

/** Returns whether the attempt has nothing to review: it failed, or it has no result yet. */
function isWithoutResult({ conclusion }: CheckRun, state: CheckState): boolean {
  if (state.kind === "ended") return state.run.status === "failed";
  if (state.kind === "gone") return conclusion === "failure";
  return state.kind !== "reported";
}

/** Returns whether the pull request's base changed since its run was submitted. */
function isOfAnotherBase({ pull }: CheckRun, state: CheckState): boolean {
  if (state.kind !== "running" && state.kind !== "ended") return false;
  const { scm } = state.run;
  // An external run may have no base, or belong to another pull request at the commit.
  return (
    pull !== null && scm?.baseBranch !== undefined && scm.pr === pull.number && scm.baseBranch !== pull.base
  );
}

/** Starts the next attempt of a leased check. @returns whether the check still had the same attempt */
export async function restartCheck(
  context: ScmContext,
  check: CheckRun,
  before: CheckState,
  { previewUrl, fromTemplate }: Preview,
): Promise<boolean> {
  if (!(await startAttempt(context.em(), check, { previewUrl, fromTemplate, mayBeOpen: true }))) return false;
  if (before.kind === "running") await cancelOwn(context, check, before.run.id);
  const nothing = { runId: null, conclusion: null, outcome: null, note: null, provided: null };
  Object.assign(check, { ...nothing, previewUrl, fromTemplate, attempt: check.attempt + 1, failures: 0 });
  return true;
}

/** Cancels the run of a replaced attempt to free its slots. Leaves external runs alone. */
export async function cancelOwn(
  { cloudOf, warn }: Pick<ScmContext, "cloudOf" | "warn">,
  { hostId, teamId }: CheckRun,
  id: string,
): Promise<void> {
  try {
    const run = await cloudOf(teamId).run(id);
    if (run?.scm?.checkRunId !== undefined && String(run.scm.checkRunId) === hostId)
      await cloudOf(teamId).cancel(id);
  } catch (error) {
    // The run has ended meanwhile, or will end by itself.
    warn(error, LOG_MESSAGES.notCanceled(id));
  }
}
