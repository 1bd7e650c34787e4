import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { StorybookInput } from "../../shared/contracts/runs/stories.ts";
import { STORY_BOUNDS } from "../../shared/contracts/runs/stories.ts";
import { INDEX_FILES, readIndexedStories } from "../../shared/storybook/indexed-story.ts";
import { StorybookError } from "../../shared/storybook/storybook-error.ts";
import { SourceFiles } from "../storybook/changes/source-files.ts";

/**
 * Returns hashes of the source files behind the stories of a build, by their import paths. Undefined if they can't be
 * known: without statistics of the bundler, for an archive file, or if the sources aren't on this machine.
 * @param folder of the build
 * @param roots folders that may be the project's
 */
export async function readStorySources(
  folder: string,
  roots: readonly string[],
): Promise<StorybookInput["sources"]> {
  const stories = await readImportPaths(folder);
  const sources = stories.length === 0 ? null : await SourceFiles.open(folder, stories, roots);
  if (sources === null) return undefined;
  const hashes: Record<string, string> = {};
  for (const story of stories) {
    const hash = await sources.hashOf(story);
    if (hash !== null) hashes[story] = hash;
  }
  return Object.keys(hashes).length > 0 ? hashes : undefined;
}

async function readImportPaths(folder: string): Promise<string[]> {
  for (const file of INDEX_FILES) {
    const path = join(resolve(folder), file);
    const text = await readFile(path, "utf8").catch(() => null);
    if (text === null) continue;
    try {
      const paths = new Set(readIndexedStories(text, path).map(({ importPath }) => importPath));
      return [...paths].filter(each => each !== "").slice(0, STORY_BOUNDS.sources);
    } catch (error) {
      // The service says what is wrong with it.
      if (error instanceof StorybookError) return [];
      throw error;
    }
  }
  return [];
}
