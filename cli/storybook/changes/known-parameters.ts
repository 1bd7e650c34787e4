import { createHash } from "node:crypto";
import type { ExtractedStory } from "../../../shared/capture/story/in-page/extract-stories.ts";
import type { ChangeDetector } from "../../../shared/storybook/changes/change-detector.ts";
import type { IndexedStory } from "../../../shared/storybook/indexed-story.ts";
import type { SourceFiles } from "./source-files.ts";
import type { ModuleRecord, RecordedParameters, StoryRecords } from "./story-records.ts";

/** What the planning of screenshots needs of stories, by their ids. */
export type StoryParameters = Record<string, Pick<ExtractedStory, "parameters" | "globals">>;

/** Larger parameters are read from the preview each time, rather than kept in git. */
const MAX_CHARS = 10_000;

/** Returns the recorded parameters of the stories whose files have not changed since. */
export async function knownParameters(
  indexed: readonly IndexedStory[],
  { modules, parameters }: Pick<StoryRecords, "modules" | "parameters">,
  detector: ChangeDetector,
): Promise<StoryParameters> {
  const byModule = Map.groupBy(modules, ({ module }) => module);
  const byId = new Map(parameters.map(each => [each.id, each]));
  const known: StoryParameters = {};
  for (const { id, importPath } of indexed) {
    // A merge may have kept two lines.
    for (const record of byModule.get(importPath) ?? []) {
      const found = byId.get(record.parameters[id] ?? "");
      if (found !== undefined && (await detector.isUnchanged(record, importPath))) known[id] = found;
    }
  }
  return known;
}

/** Returns records of parameters for `knownParameters`. */
export async function recordParameters(
  indexed: readonly IndexedStory[],
  extracted: StoryParameters,
  work: { sources: SourceFiles | null; filesOf: (importPath: string) => string | undefined },
): Promise<Pick<StoryRecords, "modules" | "parameters">> {
  const all = new Map<string, RecordedParameters>();
  const modules: ModuleRecord[] = [];
  for (const [module, stories] of Map.groupBy(indexed, ({ importPath }) => importPath)) {
    const ids: Record<string, string> = {};
    for (const story of stories) {
      const found = extracted[story.id];
      if (found === undefined) continue;
      const { parameters, globals } = found;
      const text = JSON.stringify({ parameters, globals });
      if (text.length > MAX_CHARS) continue;
      const id = createHash("sha256").update(text).digest("hex").slice(0, 16);
      all.set(id, { id, parameters, globals });
      ids[story.id] = id;
    }
    const sources = (await work.sources?.hashOf(module)) ?? undefined;
    const files = work.filesOf(module);
    if (sources !== undefined || files !== undefined)
      modules.push({ module, sources, files, parameters: ids });
  }
  return { modules, parameters: [...all.values()] };
}
