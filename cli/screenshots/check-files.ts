import { relative } from "node:path";
import { UnreadableImageError } from "../../shared/compare/png-file.ts";
import { keyOf } from "../../shared/contracts/capture/screenshot-key.ts";
import type { Baseline } from "../baselines/baselines.ts";
import type { CheckEvent, CheckedScreenshot } from "../check/check-result.ts";
import { blankScreenshot } from "../check/screenshots/checked-screenshot.ts";
import {
  type CompareWork,
  type Counterpart,
  compareScreenshot,
} from "../check/screenshots/compare-screenshot.ts";
import { mapBounded } from "../concurrency.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { withNotes } from "../plugins/run-hooks.ts";
import { SCREENSHOT_ERRORS as ERRORS, SCREENSHOT_NOTES as NOTES } from "../texts/screenshots.ts";
import type { PlannedFile } from "./plan-files.ts";
import { readImage } from "./screenshot-image.ts";

/** Dependencies for the check of screenshot files. */
export interface FileWork extends CompareWork {
  /** Folder that paths are shown relative to. */
  root: string;
  plugins: readonly Plugin[];
  /** Number of images in memory at the same time. */
  concurrency: number;
  counterpartOf: (file: PlannedFile) => Counterpart;
  onEvent: (event: CheckEvent) => void;
}

/** Compares screenshot files with their baselines. Returns them in order. @throws the signal's reason */
export async function checkFiles(
  files: readonly PlannedFile[],
  work: FileWork,
  signal: AbortSignal,
): Promise<CheckedScreenshot[]> {
  return await mapBounded(files, work.concurrency, async file => {
    signal.throwIfAborted();
    work.onEvent({ type: "started", route: file.route });
    const shot = await withNotes(work.plugins, await checkFile(file, work, signal));
    work.onEvent({ type: "done", shot });
    return shot;
  });
}

async function checkFile(file: PlannedFile, work: FileWork, signal: AbortSignal): Promise<CheckedScreenshot> {
  const { path, metadata, colorThreshold, ...planned } = file;
  const counterpart = work.counterpartOf(file);
  const known = [counterpart.baseline, counterpart.own].flatMap(baseline => baseline?.capture ?? []);
  const image = await readImage(path, known).catch((error: unknown) => {
    if (error instanceof UnreadableImageError) return error;
    throw error;
  });
  if (image instanceof UnreadableImageError) {
    const message = ERRORS.unreadable(relative(work.root, path), image.message);
    return { ...blankScreenshot(planned), error: { code: "unreadable_screenshot", message } };
  }
  const { width, height, hash } = image;
  const uncompared = {
    ...blankScreenshot(planned),
    ...{ status: "new" as const, width, height, hash, attempts: (metadata.retry ?? 0) + 1 },
    browser: metadata.browser ?? null,
    ...replacement(file, counterpart.baseline),
  };
  const { ignoreRegions } = file;
  return await compareScreenshot(uncompared, image, counterpart, work, {
    ...{ colorThreshold, ignoreRegions, signal },
  });
}

function replacement(
  file: PlannedFile,
  baseline: Baseline | null,
): Pick<CheckedScreenshot, "replaces" | "notes"> {
  if (baseline === null || keyOf(baseline) === keyOf(file)) return { replaces: null, notes: [] };
  const { route, viewport } = baseline;
  return { replaces: { route, viewport }, notes: [NOTES.replaces(route, viewport)] };
}
