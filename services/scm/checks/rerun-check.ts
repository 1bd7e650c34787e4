import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { toldPreview } from "../pull-requests/preview-cache.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts.ts";
import { notTriggered } from "../webhooks/answer.ts";
import { beginAttempt, findCheckByHostId } from "./check.store.ts";
import { claimAndAdvance } from "./start-check.ts";

/** A check as the code host names it; a number of another repository's is nobody's to use. */
export interface NamedCheck {
  hostId: string;
  repoId: string;
  /** The repository's by now, where that is news. */
  defaultBranch?: string;
}

/** Runs a check that has ended again, where its commit can be seen by now. */
export async function rerunCheck(
  context: ScmContext,
  { hostId, repoId, defaultBranch }: NamedCheck,
): Promise<DeliveryAnswer> {
  const check = await findCheckByHostId(context.em(), hostId);
  if (check?.repoId !== repoId) return notTriggered(EVENT_REASONS.notOurs);
  const { previewUrl, fromTemplate } = toldPreview(context.previews, check) ?? check;
  if (
    !(await beginAttempt(context.em(), check, {
      previewUrl,
      fromTemplate,
      ...(defaultBranch !== undefined && { defaultBranch }),
    }))
  )
    return notTriggered(EVENT_REASONS.running);
  return claimAndAdvance(context, check);
}
