import { createHash } from "node:crypto";
import type { EntityManager } from "../../../mixins/database.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import type { CapturedScreenshot } from "../../../shared/contracts/runs/jobs.ts";
import type { ListedFiles } from "../../../shared/contracts/runs/stories.ts";
import type { LoadedFiles } from "../../../shared/storybook/changes/change-detector.ts";
import type { Run } from "../run.entity.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { findArchiveFiles, putStoryRecords, type StoryRecord } from "./story-record.store.ts";

/** A capture of a screenshot. */
interface Captured {
  run: Pick<Run, "projectId" | "archive">;
  screenshot: Screenshot;
  capture: CapturedScreenshot;
}

/**
 * Records what the pages of stories loaded, for runs that skip unchanged ones. Unstable captures, and those of another
 * browser than the one that listed the stories, say nothing about the next one.
 */
export async function recordLoaded(em: EntityManager, captured: readonly Captured[]): Promise<void> {
  const usable = captured.filter(
    ({ screenshot: { story }, capture: { loaded, stable, rendering } }) =>
      story?.inputs && loaded && stable && rendering === story.inputs.rendering,
  );
  if (usable.length === 0) return;
  const archives = [...new Set(usable.flatMap(({ run }) => run.archive ?? []))];
  const filesOf = await findArchiveFiles(em, archives);
  for (const [projectId, all] of Map.groupBy(usable, ({ run }) => run.projectId)) {
    const files = new Map<string, LoadedFiles>();
    const stories = all.flatMap((each): StoryRecord[] => {
      const set = loadedFiles(each.capture.loaded ?? [], filesOf.get(each.run.archive ?? "") ?? {});
      const { inputs } = each.screenshot.story ?? {};
      if (set === null || !inputs) return [];
      files.set(set.id, set);
      const { settings, sources = null } = inputs;
      return [
        {
          ...pickPage(each.screenshot),
          ...{ imageHash: each.capture.hash, settings, filesId: set.id, sources },
        },
      ];
    });
    if (stories.length > 0) await putStoryRecords(em, projectId, { stories, files: [...files.values()] });
  }
}

/** Returns the loaded files by their names; null if one isn't in the archive, such as one that is missing. */
function loadedFiles(paths: readonly string[], files: ListedFiles): LoadedFiles | null {
  const found = new Map<string, string>();
  for (const path of paths) {
    if (!Object.hasOwn(files, path)) return null;
    const [name = "", hash = ""] = files[path] ?? [];
    found.set(name, hash);
  }
  const loaded = Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { id: createHash("sha256").update(JSON.stringify(loaded)).digest("hex").slice(0, 32), loaded };
}
