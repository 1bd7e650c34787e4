import type { Capture, CaptureError } from "../../shared/capture/capture-types.ts";
import type { Comparison } from "../../shared/compare/comparison.ts";
import { captureNotes } from "../../shared/report/capture-notes.ts";
import { isMinor } from "../../shared/report/minor.ts";
import type { Baseline } from "../baselines/baselines.ts";
import { NOTE_TEXTS } from "../texts/check.ts";
import type { CheckedShot } from "./check-result.ts";
import type { PlannedShot } from "./plan-shots.ts";

/** Returns a screenshot with only the planned fields set. */
export function blankShot({
  route,
  viewport,
  threshold,
  ignoreRegions,
}: Omit<PlannedShot, "url" | "options" | "colorThreshold">): CheckedShot {
  return {
    route,
    viewport,
    threshold,
    status: "failed",
    width: null,
    height: null,
    diffRatio: null,
    diffPixels: null,
    minor: false,
    regions: [],
    ignored: { pixels: 0, regions: ignoreRegions.map(region => ({ ...region, pixels: 0 })) },
    fingerprint: null,
    files: { current: null, baseline: null, diff: null },
    hash: null,
    baseline: null,
    renamedFrom: null,
    otherBrowser: false,
    stable: true,
    moving: [],
    attempts: 0,
    browser: null,
    timings: {},
    error: null,
    notes: [],
  };
}

/** Returns a screenshot that couldn't be captured. */
export function failedShot(planned: PlannedShot, { code, message }: CaptureError): CheckedShot {
  return { ...blankShot(planned), error: { code, message } };
}

/** Returns a captured screenshot before its comparison, with the status "new". */
export function takenShot(planned: PlannedShot, capture: Capture): CheckedShot {
  const { width, height, hash, stable, moving, attempts, browser, timings } = capture;
  return {
    ...blankShot(planned),
    ...{ status: "new", width, height, hash, stable, moving, attempts, browser, timings },
    notes: captureNotes(capture),
  };
}

/** Returns a screenshot that was compared with its baseline. @param platform such as `linux x64` */
export function comparedShot(
  taken: CheckedShot,
  baseline: Baseline,
  { diffRatio, diffPixels, regions, ignored, fingerprint }: Comparison,
  platform: string,
): CheckedShot {
  const status = diffRatio > taken.threshold ? "changed" : "unchanged";
  const strange = otherBrowser(baseline, taken.browser, platform);
  const otherNote = strange && NOTE_TEXTS.otherEnvironment(strange);
  return {
    ...taken,
    ...{ status, diffRatio, diffPixels, regions, fingerprint },
    ignored: { pixels: ignored.reduce((sum, { pixels }) => sum + pixels, 0), regions: ignored },
    minor: isMinor(status === "unchanged", diffPixels),
    baseline: baselineFacts(baseline),
    otherBrowser: status === "changed" && strange !== null,
    notes: otherNote && status === "changed" ? [...taken.notes, otherNote] : taken.notes,
  };
}

export function baselineFacts({
  file,
  hash,
  width,
  height,
  browser,
  platform,
}: Baseline): CheckedShot["baseline"] {
  return { file, hash, width, height, browser, platform };
}

/**
 * Returns the browser and system of a baseline, such as `chromium 151.0 on linux x64`, if they are known and
 * not the current ones.
 */
function otherBrowser(
  baseline: Pick<Baseline, "browser" | "platform">,
  browser: string | null,
  platform: string,
): string | null {
  if (baseline.browser === null || baseline.platform === null) return null;
  if (baseline.browser === browser && baseline.platform === platform) return null;
  return NOTE_TEXTS.environment(baseline.browser, baseline.platform);
}
