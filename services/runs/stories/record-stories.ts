import type { EntityManager } from "../../../mixins/database.ts";
import { COLOR_THRESHOLD } from "../../../shared/compare/pixel-rule.ts";
import { call } from "../../../shared/contracts/bus.ts";
import { widthOf } from "../../../shared/contracts/capture/viewport.ts";
import type { ListedStories } from "../../../shared/contracts/runs/jobs.ts";
import type { RunWarning } from "../../../shared/contracts/runs/run-warning.ts";
import {
  type ListedScreenshot,
  type SkippedStories,
  STORY_BOUNDS,
  type StoryInputs,
  type StoryList,
  storyList,
} from "../../../shared/contracts/runs/stories.ts";
import { asError } from "../../../shared/errors.ts";
import { parseJson } from "../../../shared/json.ts";
import { cut } from "../../../shared/text/text-limits.ts";
import { visible } from "../../../shared/text/visible-text.ts";
import { pairBaselines } from "../baselines/pair-baselines.ts";
import { failRun, publishProgress } from "../capture/advance-runs.ts";
import { dispatchCaptures } from "../capture/dispatch-captures.ts";
import type { Run, RunWithOptions } from "../run.entity.ts";
import { findRuns, findRunsWithOptions, tallyRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { isOverLimit, uncountRun } from "../submission/count-run.ts";
import { type PlannedScreenshot, screenshotsPerJob } from "../submission/plan-screenshots.rule.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { RUN_ERRORS, STORY_TEXTS } from "../texts/runs.ts";
import { requestWaiting } from "./request-stories.ts";
import { skipUnchanged } from "./skip-unchanged.ts";
import { storyInputsOf } from "./story-inputs.ts";
import { putArchiveFiles } from "./story-record.store.ts";
import { findStorybook, type Storybook, writeStories } from "./storybook.store.ts";

/** Limit of the reason why there is no list. It can name what the Storybook says. */
const REASON = { max: 2_000, unit: "utf16" } as const;

type Listed = Pick<ListedStories, "runId" | "outcome">;

/**
 * Makes the listed stories the screenshots of their run, and queues their captures and the team's next list. A repeated
 * result changes nothing.
 * @throws Error if the stored list can't be read now
 */
export async function recordStories(context: RunsContext, listed: Listed): Promise<void> {
  const em = context.em();
  const { runId } = listed;
  const [[run], storybook] = [await findRunsWithOptions(em, [runId]), await findStorybook(em, runId)];
  if (!run || !storybook || run.completedAt !== null || storybook.listedAt !== null) return;
  await record(context, run, storybook, listed);
  await requestWaiting(context, run.teamId).catch(error =>
    context.warn(error, LOG_MESSAGES.notQueued(runId)),
  );
}

async function record(
  context: RunsContext,
  run: RunWithOptions,
  storybook: Storybook,
  { outcome }: Listed,
): Promise<void> {
  const em = context.em();
  if ("reason" in outcome) return failRun(context, run, cut(visible(outcome.reason), REASON));
  const list = readList(await context.images.get(outcome.hash));
  if (list === null) return failRun(context, run, RUN_ERRORS.unknownStories);
  const planned = list.screenshots.map(screenshot =>
    plannedOf(screenshot, run, inputsOf(run, storybook, list)),
  );
  const selected = await selectStories(em, run, storybook, { list, planned });
  const { screenshots, warnings, stories } = selected;
  const captured = screenshots.filter(({ status }) => status !== "removed").length;
  if (!(await countStories(context, run, captured))) return;
  const isWritten = await writeStories(em, run.id, {
    ...{ screenshots, screenshotsPerJob: screenshotsPerJob(planned), warnings, stories },
  });
  if (!isWritten) return await uncountCanceled(context, run);
  // The recovery sweep queues what can't be queued now.
  await dispatchCaptures(context).catch(error => context.warn(error, LOG_MESSAGES.notQueued(run.id)));
  const tally = (await tallyRuns(context.em(), [run])).get(run.id);
  if (tally) publishProgress(context, run, tally);
}

/** Returns null for anything that no renderer of this version stores. */
function readList(bytes: Buffer): StoryList | null {
  if (bytes.length > STORY_BOUNDS.listBytes) return null;
  const parsed = storyList.safeParse(storable(parseJson(bytes.toString("utf8"))));
  return parsed.success && parsed.data.screenshots.length > 0 ? parsed.data : null;
}

/** Returns JSON whose texts the database accepts. A Storybook's may contain a NUL or an unpaired surrogate. */
function storable(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [storableText(name), storable(each)]),
  );
}

function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** Returns what is behind each story; null if the run doesn't skip unchanged ones, or can't. */
function inputsOf(
  run: RunWithOptions,
  { onlyChanged, sources }: Storybook,
  { build }: StoryList,
): ((listed: ListedScreenshot) => StoryInputs) | null {
  return onlyChanged && build ? listed => storyInputsOf(listed, run, { build, sources }) : null;
}

/** Returns the screenshots of a run with their baselines, without those of stories that it skips. */
async function selectStories(
  em: EntityManager,
  run: RunWithOptions,
  { comparedWith, onlyChanged, sources }: Storybook,
  { list, planned }: { list: StoryList; planned: PlannedScreenshot[] },
): Promise<{ screenshots: Screenshot[]; warnings: RunWarning[]; stories: SkippedStories | null }> {
  const all = await pairBaselines(em, run, comparedWith, planned);
  const warnings = warningsOf(list);
  if (!onlyChanged) return { screenshots: all, warnings, stories: null };
  if (!list.build || run.archive === null)
    return { screenshots: all, warnings: [...warnings, warningOf(STORY_TEXTS.unknownFiles)], stories: null };
  const { files } = list.build;
  await putArchiveFiles(em, run.archive, files);
  const { screenshots, stories, message } = await skipUnchanged(em, run, all, { files, sources });
  return { screenshots, warnings: [...warnings, warningOf(message)], stories };
}

function plannedOf(
  listed: ListedScreenshot,
  run: RunWithOptions,
  inputsOf: ((listed: ListedScreenshot) => StoryInputs) | null,
): PlannedScreenshot {
  const { environment, viewport, viewportHeight, threshold, colorThreshold } = listed;
  const { inputs: _inputs, ...names } = listed.story;
  const story = inputsOf ? { ...names, inputs: inputsOf(listed) } : names;
  return {
    ...{ route: story.id, state: null, environment, viewport: widthOf(viewport), viewportHeight },
    threshold: threshold ?? run.threshold,
    colorThreshold: colorThreshold ?? run.options.colorThreshold ?? COLOR_THRESHOLD,
    ...{ ignoreRegions: [], story },
  };
}

/** Counts the run toward its team's allowances. Without any left, the run fails. @returns whether it is counted */
async function countStories(context: RunsContext, run: Run, screenshots: number): Promise<boolean> {
  try {
    await call(context.bus, "billing.take", { runId: run.id, teamId: run.teamId, screenshots });
    return true;
  } catch (error) {
    if (!isOverLimit(error)) throw error;
    await failRun(context, run, asError(error).message);
    return false;
  }
}

/** The run was canceled while its stories were counted. Nothing of it was captured. */
async function uncountCanceled(context: RunsContext, { id }: Run): Promise<void> {
  const em = context.em();
  const [[run], storybook] = [await findRuns(em, [id]), await findStorybook(em, id)];
  if (run?.status === "canceled" && storybook?.listedAt === null) await uncountRun(context, id);
}

function warningsOf({ disabled, excluded, errors }: StoryList): RunWarning[] {
  const skipped = [
    ...(disabled > 0 ? [STORY_TEXTS.disabled(disabled)] : []),
    ...(excluded > 0 ? [STORY_TEXTS.excluded(excluded)] : []),
  ];
  const messages = [
    ...(skipped.length > 0 ? [STORY_TEXTS.skipped(skipped)] : []),
    ...errors.map(STORY_TEXTS.moduleFailed),
  ];
  return messages.map(warningOf);
}

function warningOf(message: string): RunWarning {
  return { message, place: null };
}
