import { createHash } from "node:crypto";
import { type Capture, CaptureError } from "../../shared/capture/capture-types.ts";
import type { Comparison } from "../../shared/compare/comparison.ts";
import { UnreadableImageError } from "../../shared/compare/png-file.ts";
import type { Baseline, BaselinesToCompare } from "../baselines/baselines.ts";
import { mapBounded } from "../map-bounded.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { publishCaptured, settingsOf, withNotes } from "../plugins/run-hooks.ts";
import { CommandError } from "../terminal.ts";
import { BASELINE_ERRORS, NOTE_TEXTS } from "../texts/check.ts";
import { keepBaseline } from "./add-removed.ts";
import { Backlog } from "./backlog.ts";
import type { CheckFolder } from "./check-folder.ts";
import type { CheckEvent, CheckedShot } from "./check-result.ts";
import { baselineFacts, comparedShot, failedShot, takenShot } from "./judge-shot.ts";
import type { CompareOptions, Looker } from "./look.ts";
import type { PlannedShot } from "./plan-shots.ts";
import { reach } from "./reach.ts";

/** Dependencies for capturing and storing the screenshots of a check. */
export interface CheckWork {
  looker: Looker;
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
export async function checkShots(
  planned: readonly PlannedShot[],
  baselines: BaselinesToCompare,
  work: CheckWork,
  signal: AbortSignal,
): Promise<CheckedShot[]> {
  const failing = new AbortController();
  const ending = AbortSignal.any([signal, failing.signal]);
  const shots: CheckedShot[] = [];
  // Each waiting screenshot keeps both images in memory.
  const judging = new Backlog(work.concurrency * 2);
  const begun = new Set<string>();
  const fail = (error: unknown) => failing.abort(error);
  await mapBounded(planned, work.concurrency, async (shot, index) => {
    if (ending.aborted) return;
    if (!begun.has(shot.route)) work.onEvent({ type: "started", route: shot.route });
    begun.add(shot.route);
    const captured = await captureShot(shot, baselines, work, ending).catch(fail);
    if (!captured) return;
    const judge = async () => {
      const checked = await withNotes(work.plugins, await judgeShot(shot, captured, baselines, work, ending));
      shots[index] = checked;
      work.onEvent({ type: "done", shot: checked });
    };
    await judging.add(judge().catch(fail));
  });
  await judging.done();
  ending.throwIfAborted();
  return shots;
}

async function captureShot(
  shot: PlannedShot,
  { compared }: BaselinesToCompare,
  { looker, plugins, baseUrl }: CheckWork,
  signal: AbortSignal,
): Promise<Capture | CaptureError | null> {
  const { route, viewport, url } = shot;
  const options = await settingsOf(plugins, { route, viewport, url }, shot.options);
  const baselineHash = compared.of(shot)?.capture ?? null;
  const captured = await looker.capture({ url, viewport, baselineHash, options }, signal);
  if (captured instanceof CaptureError) {
    // A server that stopped is reported once, instead of for every later page.
    if (captured.code === "unreachable") await reach(baseUrl, signal);
  } else if (captured) {
    const { png, hash, width, height, stable } = captured;
    await publishCaptured(plugins, {
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

async function judgeShot(
  planned: PlannedShot,
  captured: Capture | CaptureError,
  { compared, here }: BaselinesToCompare,
  work: CheckWork,
  signal: AbortSignal,
): Promise<CheckedShot> {
  if (captured instanceof CaptureError) return failedShot(planned, captured);
  const taken = takenShot(planned, captured);
  const { colorThreshold, ignoreRegions } = planned;
  const how = { colorThreshold, ignoreRegions, signal };
  const baseline = compared.of(planned);
  const own = here?.of(planned) ?? null;
  if (own !== null && own.capture === captured.hash && own.hash !== baseline?.hash) {
    const note = NOTE_TEXTS.approvedHere(compared.ref);
    const shot = await judgeWith(taken, captured, own, work, how);
    return { ...shot, notes: [...shot.notes, note] };
  }
  if (baseline === null) {
    return { ...taken, files: { ...taken.files, current: await keepCurrent(planned, captured, work) } };
  }
  return await judgeWith(taken, captured, baseline, work, how);
}

async function judgeWith(
  taken: CheckedShot,
  captured: Capture,
  baseline: Baseline,
  work: CheckWork,
  how: CompareOptions & { signal: AbortSignal },
): Promise<CheckedShot> {
  try {
    const comparison = await work.looker.compare(baseline, captured, how);
    const shot = comparedShot(taken, baseline, comparison, work.platform);
    return { ...shot, files: await keepImages(shot, captured, baseline, comparison, work) };
  } catch (failure) {
    const message = unreadable(failure, baseline);
    if (message === null) throw failure;
    const files = { ...taken.files, current: await keepCurrent(taken, captured, work) };
    const error = { code: "unreadable_baseline", message } as const;
    return { ...taken, files, status: "failed", baseline: baselineFacts(baseline), error };
  }
}

async function keepImages(
  shot: CheckedShot,
  captured: Capture,
  baseline: Baseline,
  { mask }: Comparison,
  work: CheckWork,
): Promise<CheckedShot["files"]> {
  // The folder has the same pixels already.
  if (mask === null && baseline.path !== null) {
    return { current: baseline.path, baseline: baseline.path, diff: null };
  }
  const current = await keepCurrent(shot, captured, work);
  if (mask === null) return { current, baseline: null, diff: null };
  const maskHash = createHash("sha256").update(mask).digest("hex");
  const [copy, diff] = await Promise.all([
    keepBaseline(work.folder, baseline),
    work.folder.keep(shot, "diff", mask, maskHash),
  ]);
  return { current, baseline: copy, diff };
}

async function keepCurrent(
  shot: { route: string; viewport: number },
  { png, hash }: Capture,
  { folder }: CheckWork,
): Promise<string> {
  return await folder.keep(shot, "current", png, hash);
}

/** Returns why a baseline can't be compared and how to fix it; null for other errors. */
function unreadable(error: unknown, { file }: Baseline): string | null {
  if (error instanceof CommandError && error.code === "lfs_missing") return error.message;
  if (!(error instanceof UnreadableImageError)) return null;
  return BASELINE_ERRORS.unreadable(file, error.message);
}
