import { availableParallelism } from "node:os";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { keyOf, pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import type { IndexedStory } from "../../shared/storybook/indexed-story.ts";
import { withTags } from "../../shared/storybook/plan-story-screenshots.rule.ts";
import { screenshotBaselinesFolder } from "../baselines/baselines.ts";
import { openBaselines } from "../baselines/read-baselines.ts";
import { browserLocation } from "../browser-location.ts";
import { CaptureEngine } from "../check/capture-engine.ts";
import { CheckFolder } from "../check/check-folder.ts";
import type { CheckEvent, CheckedScreenshot, CheckResult } from "../check/check-result.ts";
import { finishCheck, PLATFORM } from "../check/finish-check.ts";
import { readLogins } from "../check/read-logins.ts";
import { addRemoved } from "../check/screenshots/add-removed.ts";
import { checkScreenshots } from "../check/screenshots/check-screenshots.ts";
import { screenshotsOf } from "../check/screenshots/plan-screenshots.ts";
import { type Selection, selectScreenshots } from "../check/screenshots/select-screenshots.ts";
import { type Configuration, screenshotConfigHash } from "../config/load-config.ts";
import { gitLine } from "../git.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { STORYBOOK_ERRORS as ERRORS, STORYBOOK_TEXTS as TEXTS } from "../texts/storybook.ts";
import { BuildFiles } from "./changes/build-files.ts";
import { Recorder } from "./changes/recorder.ts";
import { type ChangedSelection, selectChanged } from "./changes/select-changed.ts";
import { readRecords, type StoryRecords, storeRecords } from "./changes/story-records.ts";
import type { StorybookSource } from "./open-source.ts";
import { type PlannedStory, planStories } from "./plan-stories.rule.ts";
import { readIndex } from "./read-index.ts";

export interface StorybookCheckRequest extends Configuration {
  terminal: Terminal;
  source: StorybookSource;
  /** Name of the set of baselines. */
  name: string;
  selection?: Selection | undefined;
  /** Tags that stories must have, or with `!` must not have. */
  tags?: readonly string[] | undefined;
  /** Whether stories are skipped whose pages load the same files as for their baselines. */
  onlyChanged?: boolean | undefined;
  /** Branch, tag or commit with the baselines to compare; by default the configured one. */
  branch?: string | undefined;
  /** Number of pages at the same time; by default the configured one, otherwise the number of cores. */
  concurrency?: number | undefined;
  /** Whether to write the HTML report; true by default. */
  report?: boolean | undefined;
  onEvent?: (event: CheckEvent) => void;
}

/**
 * Captures the stories of a Storybook, and compares them with their baselines. Stores the result as `runCheck` does.
 * @throws CommandError `storybook_unreachable`, `storybook_invalid`, `parameters_invalid`, `nothing_selected`,
 * `no_browser` …; the reason of the terminal's signal
 */
export async function runStorybookCheck(request: StorybookCheckRequest): Promise<CheckResult> {
  const { config, root, terminal, source, tags = [], onEvent = () => {} } = request;
  const { signal } = terminal;
  if (request.onlyChanged && source.folder === null) throw new CommandError("usage", ERRORS.onlyChangedUrl);
  const startedAt = new Date();
  const indexed = await readIndex(source.url, signal);
  if (indexed.length === 0) throw new CommandError("nothing_selected", ERRORS.noStories(source.shown));
  const concurrency = request.concurrency ?? config.concurrency ?? availableParallelism();
  const folder = new CheckFolder(root);
  const location = browserLocation(terminal.env, root, config.browser.path);
  const engine = new CaptureEngine({ ...location, threads: concurrency });
  try {
    await Promise.all([folder.prepare(), engine.start()]);
    const ids = indexed.map(({ id }) => id);
    const {
      stories: extracted,
      errors,
      browser,
    } = await engine.stories({ url: `${source.url}/iframe.html`, ids }, signal);
    for (const message of errors) onEvent({ type: "warning", message: TEXTS.moduleFailed(message) });
    const plan = planStories(indexed, { url: source.url, extracted, config });
    const tagged = withTags(plan.stories, tags);
    if (tagged.length === 0 && plan.stories.length > 0)
      throw new CommandError("nothing_selected", ERRORS.noStoriesWithTags(tags));
    const selected = selectScreenshots(tagged, request.selection ?? {});
    noteSkipped(indexed, { disabled: plan.disabled, tags, onEvent });
    const all = screenshotsOf(plan.stories);
    const directory = screenshotBaselinesFolder(request, request.name);
    const [baselines, commit, logins, build] = await Promise.all([
      openBaselines(directory, request.branch ?? config.baselines.branch, all),
      gitLine(root, ["rev-parse", "HEAD"]),
      readLogins([], { root, env: terminal.env }),
      source.folder === null ? null : BuildFiles.open(source.folder),
    ]);
    const records = await readRecords(directory);
    const changed =
      request.onlyChanged && build !== null
        ? await selectChanged(selected, {
            ...{ records, baselines: baselines.compared, build, browser, random: Math.random },
          })
        : null;
    if (changed !== null) onEvent({ type: "note", message: describeSelection(changed, selected, records) });
    const captured = changed?.captured ?? selected;
    onEvent({ type: "planned", shots: screenshotsOf(captured).map(pickPage) });
    const recorder = build && new Recorder(plan.stories, { build, url: source.url, browser });
    const { plugins } = config;
    const checked = await checkScreenshots(
      captured,
      baselines,
      {
        ...{ engine, folder, plugins, logins, concurrency, baseUrl: source.url, platform: PLATFORM, onEvent },
        onCapture: (shot, capture) => recorder?.add(shot, capture),
      },
      signal,
    );
    const screenshots = await addRemoved(checked, { all, baselines, folder, request });
    await storeRecords(folder.path, await joinRecords(recorder, changed, records));
    const missed = changed === null ? [] : missedBy(changed, checked);
    const patterns = [source.shown];
    return await finishCheck(request, {
      ...{ startedAt, baselines, screenshots, folder, baseUrl: source.shown },
      warnings: missed.length > 0 ? [TEXTS.missed(missed)] : [],
      changedStories: changed && {
        ...{
          captured: captured.length,
          skipped: changed.skipped.length,
          audited: changed.audited.size,
          missed,
        },
      },
      source: {
        ...{ config: request.file, configHash: screenshotConfigHash(config), commit: commit || null },
        screenshots: { patterns, name: request.name, naming: null, subset: tags.length > 0 },
      },
    });
  } finally {
    await engine.close();
  }
}

function noteSkipped(
  indexed: readonly IndexedStory[],
  {
    disabled,
    tags,
    onEvent,
  }: { disabled: number; tags: readonly string[]; onEvent: (event: CheckEvent) => void },
): void {
  const excluded = indexed.length - withTags(indexed, tags).length;
  const reasons = [
    ...(disabled > 0 ? [TEXTS.disabled(disabled)] : []),
    ...(excluded > 0 ? [TEXTS.excluded(excluded)] : []),
  ];
  if (reasons.length > 0) onEvent({ type: "note", message: TEXTS.skipped(reasons) });
}

function describeSelection(
  { captured, skipped, audited }: ChangedSelection,
  selected: readonly PlannedStory[],
  { stories }: StoryRecords,
): string {
  const reason =
    skipped.length > 0
      ? TEXTS.sameFiles(skipped.length, audited.size)
      : stories.length === 0
        ? TEXTS.noRecord
        : TEXTS.noneUnchanged;
  return TEXTS.onlyChanged(captured.length, selected.length, reason);
}

/** Returns the audited screenshots that changed all the same. */
function missedBy({ audited }: ChangedSelection, checked: readonly CheckedScreenshot[]): string[] {
  return checked
    .filter(shot => audited.has(keyOf(shot)) && (shot.status !== "unchanged" || shot.minor))
    .map(shot => pageName(shot));
}

/** Returns the records of this check's captures, and of the stories that it skipped. */
async function joinRecords(
  recorder: Recorder | null,
  changed: ChangedSelection | null,
  before: StoryRecords,
): Promise<StoryRecords> {
  const { stories, files } = (await recorder?.records()) ?? { stories: [], files: [] };
  return { stories: [...stories, ...(changed?.skipped ?? [])], files: [...files, ...before.files] };
}
