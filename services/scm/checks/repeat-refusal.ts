import { isArchiveUrl } from "../../../shared/contracts/builds/archive-url.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";
import { refusePreview } from "../pull-requests/preview-url.rule.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import type { CheckRun } from "./check-run.entity.ts";

/** The run of a check, null without one. The screenshots are read if they are left out. */
interface RunOfCheck {
  run: RunView | null;
  screenshots?: ScreenshotView[];
}

/**
 * Returns why only the program that submitted a check's run can repeat it, or null. The app submits previews. It has no
 * uploaded screenshots, archive or local application, and would capture a Storybook's pages instead of its stories.
 */
export async function repeatRefusal(
  { cloudOf, policy }: Pick<ScmContext, "cloudOf" | "policy">,
  { name, previewUrl, teamId }: CheckRun,
  { run, screenshots }: RunOfCheck,
): Promise<string | null> {
  if (name !== "") return EVENT_REASONS.rerunBuild;
  if (isArchiveUrl(previewUrl)) return EVENT_REASONS.rerunSite;
  // The app's own runs are of previews.
  if (!run || run.scm?.checkRunId !== undefined) return null;
  // A tunnel's application has a local address.
  if (refusePreview(previewUrl, null, policy) !== null) return EVENT_REASONS.rerunSite;
  const shown = screenshots ?? (await cloudOf(teamId).screenshots(run.id));
  // Pages are planned at the submission. A Storybook's stories are listed later.
  const isStorybook = shown.length === 0 || shown.some(({ story }) => story !== undefined);
  return isStorybook ? EVENT_REASONS.rerunSite : null;
}
