import { createHash } from "node:crypto";
import type { ListedScreenshot, StoryInputs, StoryList } from "../../../shared/contracts/runs/stories.ts";
import { version } from "../../../shared/process.ts";
import { storyCaptureOptions } from "../../../shared/storybook/story-options.ts";
import type { RunWithOptions } from "../run.entity.ts";

/** Length of hashes of settings, hex digits. */
const HASH_LENGTH = 32;

/** Returns what a run knows about the files behind a listed story. */
export function storyInputsOf(
  { viewportHeight, story }: Pick<ListedScreenshot, "viewportHeight" | "story">,
  { options }: Pick<RunWithOptions, "options">,
  work: { build: NonNullable<StoryList["build"]>; sources: Readonly<Record<string, string>> },
): StoryInputs {
  const { rendering } = work.build;
  const { id, importPath, globals, modeArgs = null, delayMs, settings } = story;
  const capture = { ...storyCaptureOptions(options), ...story.options };
  const all = [version, rendering, id, importPath, viewportHeight, settings, capture, globals, modeArgs];
  const sources = Object.hasOwn(work.sources, importPath) ? work.sources[importPath] : undefined;
  return {
    settings: createHash("sha256")
      .update(JSON.stringify([...all, delayMs, options.allowHosts ?? []]))
      .digest("hex")
      .slice(0, HASH_LENGTH),
    rendering,
    ...(sources !== undefined && { sources }),
  };
}
