import type { IndexedStory } from "../../../shared/storybook/indexed-story.ts";
import type { PlannedStory } from "../plan-stories.rule.ts";
import { recordParameters, type StoryParameters } from "./known-parameters.ts";
import type { Changes } from "./open-changes.ts";
import type { Recorder } from "./recorder.ts";
import type { StoryRecord, StoryRecords } from "./story-records.ts";

/** Returns the records of a check's captures, of the stories that keep theirs, and of the parameters of all stories. */
export async function joinRecords(
  recorder: Recorder,
  kept: readonly StoryRecord[],
  work: {
    changes: Changes;
    indexed: readonly IndexedStory[];
    planned: readonly PlannedStory[];
    extracted: StoryParameters;
  },
): Promise<StoryRecords> {
  const { records, sources } = work.changes;
  const captured = await recorder.records();
  const stories = [...captured.stories, ...kept];
  const importPaths = new Map(work.planned.map(({ route, importPath }) => [route, importPath]));
  const sets = new Map(stories.map(({ route, files }) => [importPaths.get(route), files]));
  const parameters = await recordParameters(work.indexed, work.extracted, {
    sources,
    filesOf: importPath => sets.get(importPath),
  });
  return { ...captured, ...parameters, stories, files: [...captured.files, ...records.files] };
}
