import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import type { StoredStory } from "../../../shared/contracts/runs/stories.ts";
import { storyCaptureOptions } from "../../../shared/storybook/story-options.ts";
import { previewUrlOf } from "../../../shared/storybook/story-urls.ts";
import type { RunWithOptions } from "../run.entity.ts";

/** Returns how a run captures a story. Parameters of the story replace options of the run. */
export function storySettings(
  { url, options }: Pick<RunWithOptions, "url" | "options">,
  story: StoredStory,
): Pick<CaptureJob, "url" | "site" | "options" | "environment" | "story"> {
  return {
    url: previewUrlOf(url, story),
    site: url,
    options: { ...storyCaptureOptions(options), ...story.options },
    ...(Object.keys(story.settings).length > 0 && { environment: story.settings }),
    story,
  };
}
