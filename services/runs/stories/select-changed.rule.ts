import { createHash } from "node:crypto";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { StoryInputs } from "../../../shared/contracts/runs/stories.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import type { StoryRecord } from "./story-record.store.ts";

/** Of the stories that are skipped, this share is captured all the same. */
const AUDIT_RATIO = 0.02;

type PlannedStory = Pick<
  Screenshot,
  "route" | "state" | "environment" | "viewport" | "baselineHash" | "story"
>;

interface ChangedWork {
  /** Chooses the audited stories, so that a repeated selection chooses the same ones. */
  runId: string;
  records: readonly StoryRecord[];
  /** Returns whether the files behind a file of stories are the same as for a record. */
  isUnchanged(record: StoryRecord, story: { importPath: string; inputs: StoryInputs }): Promise<boolean>;
}

/** Which screenshots of stories are captured. */
export interface ChangedStories {
  /** Records of the skipped ones, by their keys. */
  skipped: ReadonlyMap<string, StoryRecord>;
  /** Keys of those that are captured as an audit, although nothing behind them has changed. */
  audited: ReadonlySet<string>;
}

/**
 * Selects the screenshots that may have changed since their baselines: those without a record of their baseline's image,
 * with other settings, or with other files. Of the others, some are captured as an audit.
 */
export async function selectChanged(
  screenshots: readonly PlannedStory[],
  { runId, records, isUnchanged }: ChangedWork,
): Promise<ChangedStories> {
  const byKey = Map.groupBy(records, keyOf);
  const unchanged = new Map<string, StoryRecord>();
  for (const { story, baselineHash, ...page } of screenshots) {
    if (!story?.inputs || baselineHash === null) continue;
    const { importPath, inputs } = story;
    for (const record of byKey.get(keyOf(page)) ?? []) {
      if (record.imageHash !== baselineHash || record.settings !== inputs.settings) continue;
      if (await isUnchanged(record, { importPath, inputs })) unchanged.set(keyOf(page), record);
    }
  }
  const audited = audit([...unchanged.keys()], runId);
  return { audited, skipped: new Map([...unchanged].filter(([key]) => !audited.has(key))) };
}

/** Chooses keys by hashes that are unknown before the run: at least one, so that a project with few stories is audited. */
function audit(keys: readonly string[], runId: string): Set<string> {
  const orderOf = (key: string) => createHash("sha256").update(`${runId}\0${key}`).digest("hex");
  const ordered = keys
    .map(key => ({ key, order: orderOf(key) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  return new Set(ordered.slice(0, Math.ceil(keys.length * AUDIT_RATIO)).map(({ key }) => key));
}
