import type { Region } from "../../../shared/compare/comparison.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { PreviewRule, RuleScope } from "../../../shared/contracts/noise/ignore-rules.ts";

/** What a reviewer chooses to ignore: a region in some place, or a larger share of changed pixels. */
export type IgnoreChoice = RuleScope | "threshold";

/** A rule that isn't saved yet. */
export interface RuleDraft {
  choice: IgnoreChoice;
  region: Region | null;
  /** The raised threshold in percent. */
  percent: number;
  /** Whether the raised threshold applies at all widths. */
  isAtAllWidths: boolean;
}

/** Shares of changed pixels are rounded up to it, so that the next capture stays below. Percent. */
const PERCENT_STEP = 0.1;

/** Returns a draft for a screenshot: its current changed region, and a threshold above its difference. */
export function draftOf(region: Region | undefined, diffRatio: number | null): RuleDraft {
  const percent = Math.ceil(((diffRatio ?? 0) * 100) / PERCENT_STEP) * PERCENT_STEP;
  return {
    choice: "page",
    region: region ? { ...region } : null,
    percent: Math.min(100, Math.max(PERCENT_STEP, Math.round(percent * 10) / 10)),
    isAtAllWidths: false,
  };
}

/** Returns the body of a rule, or null while the draft is incomplete. */
export function ruleOf(
  project: string,
  page: ScreenshotKey,
  { choice, region, percent, isAtAllWidths }: RuleDraft,
): PreviewRule | null {
  const of = { project, ...pickPage(page) };
  if (choice === "threshold") {
    const threshold = Math.round(percent * 1e4) / 1e6;
    if (!(threshold > 0 && threshold <= 1)) return null;
    return { ...of, threshold, appliesTo: isAtAllWidths ? "widths" : "page" };
  }
  if (!region || !isRegion(region)) return null;
  return { ...of, ...region, appliesTo: choice };
}

function isRegion({ x, y, width, height }: Region): boolean {
  return [x, y, width, height].every(Number.isInteger) && x >= 0 && y >= 0 && width > 0 && height > 0;
}
