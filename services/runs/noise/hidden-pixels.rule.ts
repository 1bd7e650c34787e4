import type { Region } from "../../../shared/compare/comparison.ts";
import { countChanged, type Mask, withoutChanges } from "../../../shared/compare/read-mask.ts";
import { type RuleEffect, regionAt } from "./ignore-rule.rule.ts";

/** A changed screenshot, as far as a rule is concerned. */
export interface ChangedScreenshot {
  diffPixels: number;
  threshold: number;
  regions: readonly Region[];
  ignoreRegions: readonly Region[];
  /** Image px per CSS px. */
  scale: number;
}

/** What a rule hides in a screenshot. */
export interface Hidden {
  pixels: number;
  /** Changed regions without any pixel that still counts. */
  regions: Region[];
  isUnchanged: boolean;
}

const NOTHING: Hidden = { pixels: 0, regions: [], isUnchanged: false };

/** Returns what a rule that applies to the screenshot hides in it. @param mask all its changed pixels */
export function hiddenBy(rule: RuleEffect, screenshot: ChangedScreenshot, mask: Mask): Hidden {
  const { diffPixels, threshold, regions, ignoreRegions, scale } = screenshot;
  const pagePixels = mask.width * mask.height;
  if (rule.threshold !== null) {
    const isUnchanged = diffPixels / pagePixels <= Math.max(threshold, rule.threshold);
    return isUnchanged ? { pixels: diffPixels, regions: [...regions], isUnchanged } : NOTHING;
  }
  const hiding = regionAt(rule, scale);
  if (!hiding) return NOTHING;
  const counted = withoutChanges(mask, ignoreRegions);
  const pixels = countChanged(counted, hiding);
  if (pixels === 0) return NOTHING;
  const left = withoutChanges(counted, [hiding]);
  return {
    pixels,
    regions: regions.filter(region => intersects(region, hiding) && countChanged(left, region) === 0),
    isUnchanged: (diffPixels - pixels) / pagePixels <= threshold,
  };
}

function intersects(one: Region, other: Region): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
