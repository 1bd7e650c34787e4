import { createHash } from "node:crypto";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import { version } from "../../../shared/process.ts";
import type { ChangeDetector } from "../../../shared/storybook/changes/change-detector.ts";
import type { Baselines } from "../../baselines/baselines.ts";
import type { PlannedStory } from "../plan-stories.rule.ts";
import type { StoryRecord } from "./story-records.ts";

/** Of the stories that are skipped, this share is captured all the same. */
const AUDIT_RATIO = 0.02;

export interface ChangedSelection {
  /** Stories to capture, with the audited ones. */
  captured: PlannedStory[];
  /** Keys of the stories that are captured as an audit. */
  audited: ReadonlySet<string>;
  /** Records of the stories that are skipped. */
  skipped: StoryRecord[];
}

interface ChangedWork {
  records: readonly StoryRecord[];
  baselines: Baselines;
  detector: ChangeDetector;
  /** Such as `chromium 153.0.8010.0`. */
  browser: string;
  /** Returns a number from 0 up to 1. */
  random: () => number;
}

/**
 * Selects the stories that may have changed since their baselines: those without a record, with other settings, or with
 * other files. At random, some of the others are captured as an audit.
 */
export async function selectChanged(
  stories: readonly PlannedStory[],
  work: ChangedWork,
): Promise<ChangedSelection> {
  const records = Map.groupBy(work.records, record => keyOf({ ...record, state: null }));
  const unchanged = new Map<string, StoryRecord>();
  for (const story of stories) {
    const key = keyOf({ ...story, state: null });
    const capture = work.baselines.of({ ...story, state: null })?.capture;
    const settings = settingsOf(story, work.browser);
    for (const record of records.get(key) ?? []) {
      if (record.capture !== capture || record.settings !== settings) continue;
      if (await work.detector.isUnchanged(record, story.importPath)) unchanged.set(key, record);
    }
  }
  const audited = audit([...unchanged.keys()], work.random);
  const isSkipped = (key: string) => unchanged.has(key) && !audited.has(key);
  return {
    audited,
    captured: stories.filter(story => !isSkipped(keyOf({ ...story, state: null }))),
    skipped: [...unchanged].flatMap(([key, record]) => (audited.has(key) ? [] : [record])),
  };
}

/** Chooses keys at random: at least one, so that a project with few stories is audited, too. */
function audit(keys: readonly string[], random: () => number): Set<string> {
  const left = [...keys];
  const chosen = new Set<string>();
  const count = Math.ceil(keys.length * AUDIT_RATIO);
  while (chosen.size < count) {
    const [key] = left.splice(Math.floor(random() * left.length), 1);
    if (key !== undefined) chosen.add(key);
  }
  return chosen;
}

/** Returns a hash of what besides the build decides how a story looks. */
export function settingsOf(
  { id, importPath, height, settings, options, story }: PlannedStory,
  browser: string,
): string {
  const { globals, delayMs, args } = story ?? {};
  const all = [version, browser, process.platform, process.arch, id, importPath, height, settings, options];
  return createHash("sha256")
    .update(JSON.stringify([...all, globals, delayMs, ...(args ? [args] : [])]))
    .digest("hex")
    .slice(0, 16);
}
