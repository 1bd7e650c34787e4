import type { Capture, CaptureError } from "../../../shared/capture/capture-types.ts";
import { type Comparison, differingPixels } from "../../../shared/compare/comparison.ts";
import { type AppliedRegion, joinRegions } from "../../../shared/contracts/capture/ignore-region.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { captureNotes } from "../../../shared/report/capture-notes.ts";
import { isMinor } from "../../../shared/report/display-status.ts";
import type { Baseline } from "../../baselines/baselines.ts";
import { NOTE_TEXTS } from "../../texts/check.ts";
import type { CheckedScreenshot } from "../check-result.ts";
import type { PlannedScreenshot } from "./plan-screenshots.ts";

type BlankScreenshot = Omit<PlannedScreenshot, "colorThreshold" | "ignoreSelectors" | "ignoreRegions"> & {
  ignoreRegions: readonly AppliedRegion[];
};

/** Returns a screenshot with only the planned fields set. */
export function blankScreenshot({ threshold, ignoreRegions, ...page }: BlankScreenshot): CheckedScreenshot {
  return {
    ...pickPage(page),
    threshold,
    status: "failed",
    width: null,
    height: null,
    diffRatio: null,
    diffPixels: null,
    faintPixels: 0,
    minor: false,
    regions: [],
    ignored: { pixels: 0, regions: ignoreRegions.map(region => ({ ...region, pixels: 0 })) },
    fingerprint: null,
    explanation: null,
    proof: null,
    files: { current: null, baseline: null, diff: null },
    hash: null,
    baseline: null,
    renamedFrom: null,
    replaces: null,
    otherBrowser: false,
    stable: true,
    moving: [],
    attempts: 0,
    browser: null,
    timings: {},
    error: null,
    notes: [],
    selectorRegions: [],
    diagnostics: null,
  };
}

/** Returns a screenshot that couldn't be captured. */
export function failedScreenshot(
  planned: PlannedScreenshot,
  { code, message, diagnostics }: CaptureError,
): CheckedScreenshot {
  return { ...blankScreenshot(planned), diagnostics, error: { code, message } };
}

/** Returns a captured screenshot before its comparison, with the status "new". */
export function capturedScreenshot(planned: PlannedScreenshot, capture: Capture): CheckedScreenshot {
  const { width, height, hash, stable, moving, attempts, browser, timings, diagnostics, selectorRegions } =
    capture;
  const ignoreRegions = joinRegions(planned.ignoreRegions, capture.selectorRegions, []);
  return {
    ...blankScreenshot({ ...planned, ignoreRegions }),
    ...{ status: "new", width, height, hash, stable, moving, attempts, browser, timings, diagnostics },
    selectorRegions,
    notes: captureNotes(capture),
  };
}

/** Returns a screenshot that was compared with its baseline. @param platform such as `linux x64` */
export function comparedScreenshot(
  captured: CheckedScreenshot,
  baseline: Baseline,
  { diffRatio, diffPixels, faintPixels, regions, ignored, fingerprint }: Comparison,
  platform: string,
): CheckedScreenshot {
  const status = diffRatio > captured.threshold ? "changed" : "unchanged";
  const other = otherBrowser(baseline, captured.browser, platform);
  const otherNote = other && NOTE_TEXTS.otherEnvironment(other);
  return {
    ...captured,
    ...{ status, diffRatio, diffPixels, faintPixels, regions, fingerprint },
    ignored: { pixels: ignored.reduce((sum, { pixels }) => sum + pixels, 0), regions: ignored },
    minor: isMinor(status === "unchanged", differingPixels({ diffPixels, faintPixels })),
    baseline: baselineFacts(baseline),
    otherBrowser: status === "changed" && other !== null,
    notes: otherNote && status === "changed" ? [...captured.notes, otherNote] : captured.notes,
  };
}

export function baselineFacts({
  file,
  hash,
  width,
  height,
  browser,
  platform,
}: Baseline): CheckedScreenshot["baseline"] {
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
  // Of screenshot files, neither may be known.
  if (browser === null || baseline.browser === null || baseline.platform === null) return null;
  if (baseline.browser === browser && baseline.platform === platform) return null;
  return NOTE_TEXTS.environment(baseline.browser, baseline.platform);
}
