import type { DriftLine } from "../../../shared/contracts/monitors/monitor-series.ts";
import { formatDifference } from "../../../shared/report/describe-screenshot.ts";
import { chartTexts } from "../../texts/monitors/monitors.ts";

/** Returns how a page differed in an interval: `1.8%`, or `18 pixels, slightly different color`. */
export function differenceAt({ ratios, faintPixels }: DriftLine, index: number): string {
  const ratio = ratios[index] ?? null;
  if (ratio === null) return chartTexts.notCompared;
  return formatDifference({ diffRatio: ratio, diffPixels: null, faintPixels: faintPixels[index] ?? 0 });
}
