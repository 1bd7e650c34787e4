import { isArchiveUrl } from "../../../shared/contracts/builds/archive-url.ts";
import { refusePreview } from "../pull-requests/preview-url.rule.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import type { CheckRun } from "./check-run.entity.ts";

/**
 * Returns why only the program that submitted a check's run can repeat it, or null. The app submits previews. It has no
 * uploaded screenshots, archive or local application, and would capture a Storybook's pages instead of its stories.
 */
export async function repeatRefusal(
  { cloudOf, policy }: Pick<ScmContext, "cloudOf" | "policy">,
  { name, runId, previewUrl, teamId }: CheckRun,
): Promise<string | null> {
  if (name !== "") return EVENT_REASONS.rerunBuild;
  if (isArchiveUrl(previewUrl)) return EVENT_REASONS.rerunSite;
  const run = runId === null ? null : await cloudOf(teamId).run(runId);
  // The app's own runs are of previews.
  if (!run || run.scm?.checkRunId !== undefined) return null;
  // A tunnel's application has a local address.
  if (refusePreview(previewUrl, null, policy) !== null) return EVENT_REASONS.rerunSite;
  const screenshots = await cloudOf(teamId).screenshots(run.id);
  // Pages are planned at the submission. A Storybook's stories are listed later.
  const isStorybook = screenshots.length === 0 || screenshots.some(({ story }) => story !== undefined);
  return isStorybook ? EVENT_REASONS.rerunSite : null;
}
