import type { EntityManager } from "../../../mixins/database.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { ListedFiles, SkippedStories } from "../../../shared/contracts/runs/stories.ts";
import { ChangeDetector } from "../../../shared/storybook/changes/change-detector.ts";
import type { Run } from "../run.entity.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { STORY_TEXTS } from "../texts/runs.ts";
import { selectChanged } from "./select-changed.rule.ts";
import { findStoryRecords, touchStoryRecords } from "./story-record.store.ts";

/** The screenshots of a run that skips unchanged stories. */
export interface SelectedStories {
  screenshots: Screenshot[];
  stories: SkippedStories;
  /** How many stories were skipped and why, for people. */
  message: string;
}

/**
 * Leaves out the screenshots of stories that nothing behind has changed since their baselines, except for an audit.
 * @param screenshots of all stories, with their baselines, and removed ones
 */
export async function skipUnchanged(
  em: EntityManager,
  run: Pick<Run, "id" | "projectId">,
  screenshots: Screenshot[],
  work: { files: ListedFiles; sources: Readonly<Record<string, string>> },
): Promise<SelectedStories> {
  const images = screenshots.flatMap(shot =>
    shot.story?.inputs && shot.baselineHash !== null
      ? [{ ...pickPage(shot), imageHash: shot.baselineHash }]
      : [],
  );
  const records = await findStoryRecords(em, run.projectId, images);
  const hashes = new Map(Object.values(work.files));
  const sources = new Map(Object.entries(work.sources));
  const detector = new ChangeDetector({
    records,
    build: { hasHash: async (name, hash) => hashes.get(name) === hash },
    sources: { hashOf: async importPath => sources.get(importPath) ?? null },
  });
  const { skipped, audited } = await selectChanged(screenshots, {
    runId: run.id,
    records: records.stories,
    isUnchanged: ({ filesId: files, sources: recorded }, { importPath }) =>
      detector.isUnchanged({ files, sources: recorded ?? undefined }, importPath),
  });
  await touchStoryRecords(em, run.projectId, [...skipped.values()]);
  const total = screenshots.filter(({ status }) => status !== "removed").length;
  const by = sources.size > 0 ? ("sources" as const) : ("files" as const);
  const stories = { total, skipped: skipped.size, audited: audited.size, by, missed: [] };
  return {
    screenshots: screenshots
      .filter(shot => !skipped.has(keyOf(shot)))
      .map(shot => (audited.has(keyOf(shot)) ? withAudit(shot) : shot)),
    stories,
    message:
      skipped.size > 0
        ? `${STORY_TEXTS.unchanged(skipped.size, total, by === "sources")} ${STORY_TEXTS.audited(audited.size)}`
        : records.stories.length === 0
          ? STORY_TEXTS.noRecord
          : STORY_TEXTS.noneUnchanged,
  };
}

function withAudit(shot: Screenshot): Screenshot {
  const { story } = shot;
  if (!story?.inputs) return shot;
  return { ...shot, story: { ...story, inputs: { ...story.inputs, isAudit: true } } };
}
