import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import type { PullHead } from "../code-host/repository-host.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts.ts";
import { notTriggered } from "../webhooks/answer.ts";
import { findCheckOf, retargetCheck } from "./check.store.ts";
import { rerunCheck } from "./rerun-check.ts";
import { type Commit, claimAndAdvance } from "./start-check.ts";

/**
 * A pull request is to be merged into another branch: its commit is compared with that one, by another run. One that is
 * under way is of no use any more.
 */
export async function retarget(
  context: ScmContext,
  { repoId, sha }: Commit,
  pull: Omit<PullHead, "sha">,
): Promise<DeliveryAnswer> {
  await retargetCheck(context.em(), { repoId, sha }, pull);
  const check = await findCheckOf(context.em(), repoId, sha);
  if (!check?.hostId) return notTriggered(EVENT_REASONS.notChecked);
  if (check.pull?.number !== pull.number) return notTriggered(EVENT_REASONS.otherPull);
  if (check.conclusion === null) return claimAndAdvance(context, check);
  return rerunCheck(context, { repoId, hostId: check.hostId });
}
