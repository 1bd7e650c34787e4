import { WARM_CONTEXTS } from "../../shared/capture/browser/warm-leases.ts";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { keyOf, pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import type { IndexedStory } from "../../shared/storybook/indexed-story.ts";
import { withTags } from "../../shared/storybook/plan-story-screenshots.rule.ts";
import { screenshotBaselinesFolder } from "../baselines/baselines.ts";
import { openBaselines } from "../baselines/read-baselines.ts";
import type { CaptureEngine } from "../check/capture-engine.ts";
import { changedFilesReader } from "../check/changed-files.ts";
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
import { joinRecords } from "./changes/join-records.ts";
import { knownParameters, type StoryParameters } from "./changes/known-parameters.ts";
import { type Changes, openChanges } from "./changes/open-changes.ts";
import { Recorder } from "./changes/recorder.ts";
import { type ChangedSelection, selectChanged } from "./changes/select-changed.ts";
import { type StoryRecord, storeRecords } from "./changes/story-records.ts";
import type { StorybookSource } from "./open-source.ts";
import { type PlannedStory, planStories, usualPreview } from "./plan-stories.rule.ts";
import { readIndex } from "./read-index.ts";

export interface StorybookCheckRequest extends Configuration {
  terminal: Terminal;
  source: StorybookSource;
  /** Captures the stories, and is closed after the last one. Its browser may still be starting. */
  engine: CaptureEngine;
  /** Number of pages at the same time. */
  concurrency: number;
  /** Name of the set of baselines. */
  name: string;
  selection?: Selection | undefined;
  /** Tags that stories must have, or with `!` must not have. */
  tags?: readonly string[] | undefined;
  /** Whether stories are skipped whose files are the same as for their baselines. */
  onlyChanged?: boolean | undefined;
  /** Branch, tag or commit with the baselines to compare; by default the configured one. */
  branch?: string | undefined;
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
  const { config, root, terminal, source, engine, concurrency, tags = [], onEvent = () => {} } = request;
  const { signal } = terminal;
  const startedAt = new Date();
  const indexed = await readIndex(source.url, signal);
  if (indexed.length === 0) throw new CommandError("nothing_selected", ERRORS.noStories(source.shown));
  const folder = new CheckFolder(root);
  // The page that reads the parameters is one of the pages. More than the pool keeps would be closed at once.
  const others = Math.min(concurrency, indexed.length, WARM_CONTEXTS) - 1;
  const warming =
    source.folder === null ? null : engine.openPreviews(usualPreview(source.url, config), others, signal);
  const directory = screenshotBaselinesFolder(request, request.name);
  const [browser, changes, commit, logins] = await Promise.all([
    engine.start(),
    source.folder && openChanges(source.folder, { indexed, directory, roots: [root, terminal.cwd] }),
    gitLine(root, ["rev-parse", "HEAD"]),
    readLogins([], { root, env: terminal.env }),
    folder.prepare(),
  ]);
  const [extracted] = await Promise.all([
    readParameters(indexed, request, { engine, changes: changes || null }),
    warming,
  ]);
  const plan = planStories(indexed, { url: source.url, extracted, config });
  const tagged = withTags(plan.stories, tags);
  if (tagged.length === 0 && plan.stories.length > 0)
    throw new CommandError("nothing_selected", ERRORS.noStoriesWithTags(tags));
  const selected = selectScreenshots(tagged, request.selection ?? {});
  noteSkipped(indexed, { disabled: plan.disabled, tags, onEvent });
  const all = screenshotsOf(plan.stories);
  const baselines = await openBaselines(directory, request.branch ?? config.baselines.branch, all);
  const changed =
    request.onlyChanged && changes
      ? await selectChanged(selected, {
          ...{ detector: changes.detector, records: changes.records.stories, browser },
          baselines: baselines.compared,
          random: Math.random,
        })
      : null;
  if (changed !== null)
    onEvent({ type: "note", message: describeSelection(changed, selected, changes || null) });
  const captured = changed?.captured ?? selected;
  onEvent({ type: "planned", shots: screenshotsOf(captured).map(pickPage) });
  const recorder = changes ? new Recorder(plan.stories, { ...changes, url: source.url, browser }) : null;
  const proven: StoryRecord[] = [];
  const { plugins } = config;
  const checked = await checkScreenshots(
    captured,
    baselines,
    {
      ...{ engine, folder, plugins, logins, concurrency, baseUrl: source.url, platform: PLATFORM, onEvent },
      changedFiles: changedFilesReader(root, terminal.env, request.branch ?? config.baselines.branch),
      onCapture: (shot, { hash, requested }) => {
        const known = changed?.audited.get(keyOf(shot));
        // Its preview has loaded the files of other stories, too.
        if (known?.capture === hash) proven.push(known);
        else recorder?.add(shot, { hash, requested });
      },
    },
    signal,
  );
  // The browser ends while the results are written.
  engine.close().catch(() => {});
  const screenshots = await addRemoved(checked, { all, baselines, folder, request });
  if (recorder && changes)
    await storeRecords(
      folder.path,
      await joinRecords(recorder, [...(changed?.skipped ?? []), ...proven], {
        changes,
        indexed,
        planned: plan.stories,
        extracted,
      }),
    );
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
  changes: Changes | null,
): string {
  const reason =
    skipped.length > 0
      ? TEXTS.unchanged(skipped.length, audited.size, changes?.sources ? "sources" : "files")
      : changes?.records.stories.length === 0
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

/** Returns the parameters of stories. Those of unchanged files come from the records rather than the preview. */
async function readParameters(
  indexed: readonly IndexedStory[],
  { source, terminal: { signal }, onlyChanged, onEvent = () => {} }: StorybookCheckRequest,
  { engine, changes }: { engine: CaptureEngine; changes: Changes | null },
): Promise<StoryParameters> {
  const known =
    onlyChanged && changes ? await knownParameters(indexed, changes.records, changes.detector) : {};
  const ids = indexed.flatMap(({ id }) => (id in known ? [] : [id]));
  if (ids.length === 0) return known;
  const { stories, errors } = await engine.stories({ url: `${source.url}/iframe.html`, ids }, signal);
  for (const message of errors) onEvent({ type: "warning", message: TEXTS.moduleFailed(message) });
  return { ...stories, ...known };
}
