import type { PullHead } from "../code-host/code-host.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { type Handled, notTriggered } from "../webhooks/answer.ts";
import { findCheckOf, retargetCheck } from "./check.store.ts";
import { rerunCheck } from "./rerun-check.ts";
import { type Commit, leaseAndAdvance } from "./start-check.ts";

/**
 * Compares a commit with the new base of its pull request in another run. A run in progress is canceled. A repeated
 * event has no effect, unless the run has another base.
 */
export async function retargetPull(
  context: ScmContext,
  { repoId, sha }: Commit,
  pull: Omit<PullHead, "sha">,
): Promise<Handled> {
  const check = await findCheckOf(context.em(), repoId, sha);
  await retargetCheck(context.em(), { repoId, sha }, pull);
  if (!check?.hostId) return notTriggered(EVENT_REASONS.notChecked);
  if (check.pull?.number !== pull.number) return notTriggered(EVENT_REASONS.otherPull);
  if (check.conclusion === null || check.pull.base === pull.base) return leaseAndAdvance(context, check);
  return rerunCheck(context, { repoId, hostId: check.hostId });
}
