import { createHash } from "node:crypto";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import { version } from "../../../shared/process.ts";
import type { ChangeDetector } from "../../../shared/storybook/changes/change-detector.ts";
import type { Baselines } from "../../baselines/baselines.ts";
import type { PlannedStory } from "../plan-stories.rule.ts";
import type { StoryRecord } from "./story-records.ts";

/** Of the stories that are skipped, this share is captured all the same. */
const AUDIT_RATIO = 0.02;
/** More would load the modules of many files into each preview. */
const AUDITED_IN_PREVIEW = 10;

export interface ChangedSelection {
  /** Stories to capture, with the audited ones. */
  captured: PlannedStory[];
  /** Records of the stories that are captured as an audit, by the stories' keys. */
  audited: ReadonlyMap<string, StoryRecord>;
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
  const chosen = audit([...unchanged.keys()], work.random);
  const keyed = stories.map(story => ({ key: keyOf({ ...story, state: null }), story }));
  const audits = inPreviews(keyed.filter(({ key }) => chosen.has(key)).map(({ story }) => story));
  return {
    audited: new Map([...unchanged].filter(([key]) => chosen.has(key))),
    captured: keyed.flatMap(({ key, story }) => (unchanged.has(key) ? (audits.get(story) ?? []) : [story])),
    skipped: [...unchanged].flatMap(([key, record]) => (chosen.has(key) ? [] : [record])),
  };
}

/**
 * Returns each audited story as one that shares a preview with those of other files. It most likely equals its
 * baseline, and only that counts of a preview. So the modules of other files can't hide a change, and save a page for
 * each file.
 */
function inPreviews(audited: readonly PlannedStory[]): Map<PlannedStory, PlannedStory> {
  const withGroup = (planned: PlannedStory, index: number) => {
    const { story, environment, viewport, height } = planned;
    if (story === undefined) return planned;
    const part = Math.floor(index / AUDITED_IN_PREVIEW);
    const others = audited.slice(part * AUDITED_IN_PREVIEW, (part + 1) * AUDITED_IN_PREVIEW);
    const group = JSON.stringify([
      "audit",
      part,
      environment,
      viewport,
      height,
      story.globals,
      story.args ?? null,
    ]);
    return { ...planned, story: { ...story, group, loaded: others.map(({ id }) => id) } };
  };
  return new Map(audited.map((planned, index) => [planned, withGroup(planned, index)]));
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
