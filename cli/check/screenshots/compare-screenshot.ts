import { createHash } from "node:crypto";
import type { Comparison } from "../../../shared/compare/comparison.ts";
import { UnreadableImageError } from "../../../shared/compare/png-file.ts";
import { joinRegions } from "../../../shared/contracts/capture/ignore-region.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { Baseline } from "../../baselines/baselines.ts";
import { CommandError } from "../../terminal.ts";
import { BASELINE_ERRORS, NOTE_TEXTS } from "../../texts/check.ts";
import type { CheckFolder } from "../check-folder.ts";
import type { CheckedScreenshot } from "../check-result.ts";
import type { CompareEngine, CompareOptions, CurrentImage } from "../compare-engine.ts";
import { storeBaseline } from "./add-removed.ts";
import { baselineFacts, comparedScreenshot } from "./checked-screenshot.ts";

/** Dependencies for comparing screenshots, and for storing their images. */
export interface CompareWork {
  engine: Pick<CompareEngine, "compare">;
  folder: CheckFolder;
  /** Such as `linux x64`. */
  platform: string;
}

/** What a screenshot is compared with. */
export interface Counterpart {
  /** Null if there is none. */
  baseline: Baseline | null;
  /** The folder's own baseline, if those of a branch are compared. */
  own: Baseline | null;
  /** Source of `baseline` in the repository; null for the folder. */
  ref: string | null;
}

/** Compares a screenshot with its baseline. Without one, it stays new. @throws the signal's reason */
export async function compareScreenshot(
  uncompared: CheckedScreenshot,
  current: CurrentImage,
  { baseline, own, ref }: Counterpart,
  work: CompareWork,
  options: CompareOptions & { signal: AbortSignal },
): Promise<CheckedScreenshot> {
  if (own !== null && own.capture === current.hash && own.hash !== baseline?.hash) {
    const shot = await compareWith(uncompared, current, own, work, options);
    return { ...shot, notes: [...shot.notes, NOTE_TEXTS.approvedHere(ref)] };
  }
  if (baseline !== null) return await compareWith(uncompared, current, baseline, work, options);
  const files = { ...uncompared.files, current: await storeCurrent(uncompared, current, work) };
  return { ...uncompared, files };
}

async function compareWith(
  uncompared: CheckedScreenshot,
  current: CurrentImage,
  baseline: Baseline,
  work: CompareWork,
  options: CompareOptions & { signal: AbortSignal },
): Promise<CheckedScreenshot> {
  try {
    const ignoreRegions = joinRegions(
      options.ignoreRegions,
      uncompared.selectorRegions,
      baseline.selectorRegions,
    );
    const comparison = await work.engine.compare(baseline, current, { ...options, ignoreRegions });
    const shot = comparedScreenshot(uncompared, baseline, comparison, work.platform);
    return { ...shot, files: await storeImages(shot, current, baseline, comparison, work) };
  } catch (failure) {
    const message = unreadable(failure, baseline);
    if (message === null) throw failure;
    const files = { ...uncompared.files, current: await storeCurrent(uncompared, current, work) };
    const error = { code: "unreadable_baseline", message } as const;
    return { ...uncompared, files, status: "failed", baseline: baselineFacts(baseline), error };
  }
}

async function storeImages(
  shot: CheckedScreenshot,
  image: CurrentImage,
  baseline: Baseline,
  { mask }: Comparison,
  work: CompareWork,
): Promise<CheckedScreenshot["files"]> {
  // The folder has the same pixels already.
  if (mask === null && baseline.path !== null) {
    return { current: baseline.path, baseline: baseline.path, diff: null };
  }
  const current = await storeCurrent(shot, image, work);
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
  { png, hash }: CurrentImage,
  { folder }: CompareWork,
): Promise<string> {
  return await folder.store(shot, "current", png, hash);
}

/** Returns why a baseline can't be compared and how to fix it; null for other errors. */
function unreadable(error: unknown, { file }: Baseline): string | null {
  if (error instanceof CommandError && error.code === "lfs_missing") return error.message;
  if (!(error instanceof UnreadableImageError)) return null;
  return BASELINE_ERRORS.unreadable(file, error.message);
}
