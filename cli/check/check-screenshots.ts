import { createHash } from "node:crypto";
import { type Capture, CaptureError } from "../../shared/capture/capture-types.ts";
import type { Comparison } from "../../shared/compare/comparison.ts";
import { UnreadableImageError } from "../../shared/compare/png-file.ts";
import { joinRegions } from "../../shared/contracts/runs/ignore-region.ts";
import { keyOf, type ScreenshotKey } from "../../shared/contracts/runs/screenshot-key.ts";
import type { Baseline, BaselinesToCompare } from "../baselines/baselines.ts";
import { Backlog, mapBounded } from "../concurrency.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { notifyCaptured, settingsOf, withNotes } from "../plugins/run-hooks.ts";
import { CommandError } from "../terminal.ts";
import { BASELINE_ERRORS, NOTE_TEXTS } from "../texts/check.ts";
import { storeBaseline } from "./add-removed.ts";
import type { CaptureEngine, CompareOptions } from "./capture-engine.ts";
import type { CheckFolder } from "./check-folder.ts";
import type { CheckEvent, CheckedScreenshot } from "./check-result.ts";
import {
  baselineFacts,
  capturedScreenshot,
  comparedScreenshot,
  failedScreenshot,
} from "./checked-screenshot.ts";
import { type PlannedScreenshot, type PlannedVisit, screenshotsOf } from "./plan-screenshots.ts";
import { requireReachable } from "./reach.ts";
import type { Logins } from "./read-logins.ts";

/** Dependencies for capturing and storing the screenshots of a check. */
export interface CheckWork {
  engine: CaptureEngine;
  folder: CheckFolder;
  plugins: readonly Plugin[];
  logins: Logins;
  /** Number of pages at the same time. */
  concurrency: number;
  baseUrl: string;
  /** Such as `linux x64`. */
  platform: string;
  onEvent: (event: CheckEvent) => void;
}

/**
 * Captures the screenshots of visits and compares each with its baseline. The next page is captured during the
 * comparison.
 * @returns them in the requested order
 * @throws CommandError, or the signal's reason
 */
export async function checkScreenshots(
  visits: readonly PlannedVisit[],
  baselines: BaselinesToCompare,
  work: CheckWork,
  signal: AbortSignal,
): Promise<CheckedScreenshot[]> {
  const failing = new AbortController();
  const ending = AbortSignal.any([signal, failing.signal]);
  const checked = new Map<string, CheckedScreenshot>();
  // Each waiting screenshot keeps both images in memory.
  const comparing = new Backlog(work.concurrency * 2);
  const started = new Set<string>();
  const fail = (error: unknown) => failing.abort(error);
  await mapBounded(visits, work.concurrency, async visit => {
    if (ending.aborted) return;
    if (!started.has(visit.route)) work.onEvent({ type: "started", route: visit.route });
    started.add(visit.route);
    const captured = (await captureScreenshots(visit, baselines, work, ending).catch(fail)) ?? [];
    for (const [shot, capture] of captured) {
      const compare = async () => {
        const compared = await compareScreenshot(shot, capture, baselines, work, ending);
        const withNote = await withNotes(work.plugins, compared);
        checked.set(keyOf(shot), withNote);
        work.onEvent({ type: "done", shot: withNote });
      };
      await comparing.add(compare().catch(fail));
    }
  });
  await comparing.done();
  ending.throwIfAborted();
  return screenshotsOf(visits).flatMap(shot => checked.get(keyOf(shot)) ?? []);
}

/** Captures the screenshots of a visit. Null once the signal is aborted. */
async function captureScreenshots(
  visit: PlannedVisit,
  { compared }: BaselinesToCompare,
  { engine, plugins, logins, baseUrl }: CheckWork,
  signal: AbortSignal,
): Promise<[PlannedScreenshot, Capture | CaptureError][] | null> {
  const { route, environment, viewport, height, url, site, settings: browser, ignoreSelectors } = visit;
  const page = { route, environment, viewport, url };
  const options = await settingsOf(plugins, page, visit.options);
  const shots = screenshotsOf([visit]);
  const states = shots.map(shot => ({ state: shot.state, baselineHash: compared.of(shot)?.capture ?? null }));
  const { secrets, files } = logins;
  const login = logins.of(options);
  const request = {
    ...{ url, site, viewport, height, environment: browser, options, states, ignoreSelectors },
    ...{ ...login, secrets, files },
  };
  const captures = await engine.capture(request, signal);
  if (captures === null) return null;
  // A server that stopped is reported once, instead of for every later page.
  if (captures.some(capture => capture instanceof CaptureError && capture.code === "unreachable"))
    await requireReachable(baseUrl, signal);
  const captured: [PlannedScreenshot, Capture | CaptureError][] = [];
  for (const [index, capture] of captures.entries()) {
    const shot = shots[index];
    if (shot === undefined) continue;
    captured.push([shot, capture]);
    if (capture instanceof CaptureError) continue;
    const { png, hash, width, height, stable } = capture;
    const image = { png, hash, width, height, stable };
    await notifyCaptured(plugins, { ...page, state: shot.state, settings: options, ...image });
  }
  return captured;
}

async function compareScreenshot(
  planned: PlannedScreenshot,
  captured: Capture | CaptureError,
  { compared, here }: BaselinesToCompare,
  work: CheckWork,
  signal: AbortSignal,
): Promise<CheckedScreenshot> {
  if (captured instanceof CaptureError) return failedScreenshot(planned, captured);
  const uncompared = capturedScreenshot(planned, captured);
  const { colorThreshold, ignoreRegions } = planned;
  const options = { colorThreshold, ignoreRegions, signal };
  const baseline = compared.of(planned);
  const own = here?.of(planned) ?? null;
  if (own !== null && own.capture === captured.hash && own.hash !== baseline?.hash) {
    const note = NOTE_TEXTS.approvedHere(compared.ref);
    const shot = await compareWith(uncompared, captured, own, work, options);
    return { ...shot, notes: [...shot.notes, note] };
  }
  if (baseline === null) {
    return {
      ...uncompared,
      files: { ...uncompared.files, current: await storeCurrent(planned, captured, work) },
    };
  }
  return await compareWith(uncompared, captured, baseline, work, options);
}

async function compareWith(
  uncompared: CheckedScreenshot,
  captured: Capture,
  baseline: Baseline,
  work: CheckWork,
  options: CompareOptions & { signal: AbortSignal },
): Promise<CheckedScreenshot> {
  try {
    const ignoreRegions = joinRegions(
      options.ignoreRegions,
      captured.selectorRegions,
      baseline.selectorRegions,
    );
    const comparison = await work.engine.compare(baseline, captured, { ...options, ignoreRegions });
    const shot = comparedScreenshot(uncompared, baseline, comparison, work.platform);
    return { ...shot, files: await storeImages(shot, captured, baseline, comparison, work) };
  } catch (failure) {
    const message = unreadable(failure, baseline);
    if (message === null) throw failure;
    const files = { ...uncompared.files, current: await storeCurrent(uncompared, captured, work) };
    const error = { code: "unreadable_baseline", message } as const;
    return { ...uncompared, files, status: "failed", baseline: baselineFacts(baseline), error };
  }
}

async function storeImages(
  shot: CheckedScreenshot,
  captured: Capture,
  baseline: Baseline,
  { mask }: Comparison,
  work: CheckWork,
): Promise<CheckedScreenshot["files"]> {
  // The folder has the same pixels already.
  if (mask === null && baseline.path !== null) {
    return { current: baseline.path, baseline: baseline.path, diff: null };
  }
  const current = await storeCurrent(shot, captured, work);
  if (mask === null) return { current, baseline: null, diff: null };
  const maskHash = createHash("sha256").update(mask).digest("hex");
  const [copy, diff] = await Promise.all([
    storeBaseline(work.folder, baseline),
    work.folder.store(shot, "diff", mask, maskHash),
  ]);
  return { current, baseline: copy, diff };
}

async function storeCurrent(
  shot: ScreenshotKey,
  { png, hash }: Capture,
  { folder }: CheckWork,
): Promise<string> {
  return await folder.store(shot, "current", png, hash);
}

/** Returns why a baseline can't be compared and how to fix it; null for other errors. */
function unreadable(error: unknown, { file }: Baseline): string | null {
  if (error instanceof CommandError && error.code === "lfs_missing") return error.message;
  if (!(error instanceof UnreadableImageError)) return null;
  return BASELINE_ERRORS.unreadable(file, error.message);
}
