import type { CheckedShot, CheckResult } from "../../cli/check/check-result.ts";
import { countShots } from "../../cli/check/conclude-check.ts";

/** A screenshot of a check that never was. */
export function madeShot(route: string, viewport: number, more: Partial<CheckedShot> = {}): CheckedShot {
  return {
    route,
    viewport,
    status: "unchanged",
    width: viewport,
    height: 900,
    diffRatio: 0,
    diffPixels: 0,
    minor: false,
    threshold: 0.01,
    regions: [],
    ignored: { pixels: 0, regions: [] },
    fingerprint: null,
    files: { current: null, baseline: null, diff: null },
    hash: null,
    baseline: null,
    renamedFrom: null,
    otherBrowser: false,
    stable: true,
    moving: [],
    attempts: 1,
    browser: "chromium 153.0.8010.0",
    timings: { load: 200, screenshot: 120 },
    error: null,
    notes: [],
    ...more,
  };
}

export const changed = (diffRatio: number, regions = 1): Partial<CheckedShot> => ({
  status: "changed",
  diffRatio,
  diffPixels: 100,
  regions: Array.from({ length: regions }, () => ({ x: 0, y: 0, width: 10, height: 10 })),
});

export const minor = (diffRatio: number, diffPixels: number): Partial<CheckedShot> => ({
  minor: true,
  diffRatio,
  diffPixels,
});

export const failed = (message: string): Partial<CheckedShot> => ({
  status: "failed",
  diffRatio: null,
  error: { code: "unreachable", message },
});

export function madeResult(screenshots: CheckedShot[], more: Partial<CheckResult> = {}): CheckResult {
  const counts = countShots(screenshots);
  const differs = counts.changed + counts.new + counts.removed > 0;
  return {
    version: 1,
    vrs: "0.1.0",
    baseUrl: "http://localhost:3000",
    baseline: { directory: ".service/baselines", ref: null },
    source: { config: "service.config.ts", configHash: "0", commit: null },
    browser: "chromium 153.0.8010.0",
    platform: "linux x64",
    startedAt: "2026-05-04T03:02:01.000Z",
    durationMs: 3_210,
    conclusion: counts.failed > 0 ? "failed" : differs ? "changed" : "passed",
    counts,
    screenshots,
    warnings: [],
    report: null,
    ...more,
  };
}
