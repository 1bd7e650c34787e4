import { createHash } from "node:crypto";
import { type Capture, CaptureError } from "../../shared/capture/capture-types.ts";
import type { Comparison } from "../../shared/compare/comparison.ts";
import { UnreadableImageError } from "../../shared/compare/png-file.ts";
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
import type { PlannedScreenshot } from "./plan-screenshots.ts";
import { requireReachable } from "./reach.ts";

/** Dependencies for capturing and storing the screenshots of a check. */
export interface CheckWork {
  engine: CaptureEngine;
  folder: CheckFolder;
  plugins: readonly Plugin[];
  /** Number of pages at the same time. */
  concurrency: number;
  baseUrl: string;
  /** Such as `linux x64`. */
  platform: string;
  onEvent: (event: CheckEvent) => void;
}

/**
 * Captures the screenshots and compares each with its baseline. The next page is captured during the
 * comparison.
 * @returns them in the requested order
 * @throws CommandError, or the signal's reason
 */
export async function checkScreenshots(
  planned: readonly PlannedScreenshot[],
  baselines: BaselinesToCompare,
  work: CheckWork,
  signal: AbortSignal,
): Promise<CheckedScreenshot[]> {
  const failing = new AbortController();
  const ending = AbortSignal.any([signal, failing.signal]);
  const shots: CheckedScreenshot[] = [];
  // Each waiting screenshot keeps both images in memory.
  const comparing = new Backlog(work.concurrency * 2);
  const started = new Set<string>();
  const fail = (error: unknown) => failing.abort(error);
  await mapBounded(planned, work.concurrency, async (shot, index) => {
    if (ending.aborted) return;
    if (!started.has(shot.route)) work.onEvent({ type: "started", route: shot.route });
    started.add(shot.route);
    const captured = await captureScreenshot(shot, baselines, work, ending).catch(fail);
    if (!captured) return;
    const compare = async () => {
      const checked = await withNotes(
        work.plugins,
        await compareScreenshot(shot, captured, baselines, work, ending),
      );
      shots[index] = checked;
      work.onEvent({ type: "done", shot: checked });
    };
    await comparing.add(compare().catch(fail));
  });
  await comparing.done();
  ending.throwIfAborted();
  return shots;
}

async function captureScreenshot(
  shot: PlannedScreenshot,
  { compared }: BaselinesToCompare,
  { engine, plugins, baseUrl }: CheckWork,
  signal: AbortSignal,
): Promise<Capture | CaptureError | null> {
  const { route, viewport, url } = shot;
  const options = await settingsOf(plugins, { route, viewport, url }, shot.options);
  const baselineHash = compared.of(shot)?.capture ?? null;
  const captured = await engine.capture({ url, viewport, baselineHash, options }, signal);
  if (captured instanceof CaptureError) {
    // A server that stopped is reported once, instead of for every later page.
    if (captured.code === "unreachable") await requireReachable(baseUrl, signal);
  } else if (captured) {
    const { png, hash, width, height, stable } = captured;
    await notifyCaptured(plugins, {
      route,
      viewport,
      url,
      settings: options,
      png,
      hash,
      width,
      height,
      stable,
    });
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
    const comparison = await work.engine.compare(baseline, captured, options);
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
  shot: { route: string; viewport: number },
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
