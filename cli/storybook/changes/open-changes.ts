import { BuildFiles } from "../../../shared/storybook/changes/build-files.ts";
import { ChangeDetector } from "../../../shared/storybook/changes/change-detector.ts";
import type { IndexedStory } from "../../../shared/storybook/indexed-story.ts";
import { SourceFiles } from "./source-files.ts";
import { readRecords, type StoryRecords } from "./story-records.ts";

/** What is known about the files behind the stories of a build, now and when they were recorded. */
export interface Changes {
  build: BuildFiles;
  /** Null without statistics of the bundler. */
  sources: SourceFiles | null;
  records: StoryRecords;
  detector: ChangeDetector;
}

/**
 * Opens the files behind the stories of a build.
 * @param folder of the build
 * @param work.directory of the baselines
 * @param work.roots folders that may be the project's
 */
export async function openChanges(
  folder: string,
  work: { indexed: readonly IndexedStory[]; directory: string; roots: readonly string[] },
): Promise<Changes> {
  const stories = work.indexed.map(({ importPath }) => importPath);
  const [build, sources, records] = await Promise.all([
    BuildFiles.open(folder),
    SourceFiles.open(folder, stories, work.roots),
    readRecords(work.directory),
  ]);
  build.addKnown(records.scripts.map(({ exact, hash }) => [exact, hash]));
  return { build, sources, records, detector: new ChangeDetector({ records, build, sources }) };
}
