import type { DeliveryAnswer } from "../../../../shared/contracts/platform/delivery.ts";
import type { Commit } from "../../checks/start-check.ts";
import { hasWord } from "../../pull-requests/preview-url.rule.ts";
import { recordDeployment } from "../../pull-requests/record-preview.ts";
import type { ScmContext } from "../../scm-context.ts";
import { EVENT_REASONS } from "../../texts/events.ts";
import { notTriggered } from "../answer.ts";

/** A status with this word in its name has the preview URL of a commit, at code hosts without deployments. */
const PREVIEW_WORD = "preview";
/** The start of the names of our own statuses. */
const OWN_START = "Service / ";

/** Handles a commit status of a deployment. @param state as `recordDeployment` knows it */
export async function followStatus(
  context: ScmContext,
  commit: Commit,
  { name, state, url }: { name: string; state: string; url: string | null },
): Promise<DeliveryAnswer> {
  const { platformName } = context.settings;
  if (name.startsWith(OWN_START) || !(hasWord(name, PREVIEW_WORD) || hasWord(name, platformName)))
    return notTriggered(EVENT_REASONS.otherStatus);
  return recordDeployment(context, commit, { source: `status ${name}`, state, url });
}
