import type { Region } from "../../../shared/compare/comparison.ts";
import { type AppliedRegion, scaled } from "../../../shared/contracts/capture/ignore-region.ts";
import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { RuleScope } from "../../../shared/contracts/noise/ignore-rules.ts";

/** What a rule does, and the page on which it was made. */
export interface RuleEffect extends ScreenshotKey {
  appliesTo: RuleScope;
  /** The ignored region in px of the page's image. Null for a raised threshold. */
  region: Region | null;
  /** The raised threshold, 0–1. Null for a region. */
  threshold: number | null;
  /** Image px per CSS px on the page where it was made. */
  scale: number;
}

export interface IgnoreRule extends RuleEffect {
  id: string;
}

/** A threshold that a rule raised. */
export interface RaisedThreshold {
  /** Id of the rule. */
  rule: string;
  /** The threshold without it. */
  from: number;
}

/** What rules change in a screenshot. */
export interface RuledSettings {
  ignoreRegions: AppliedRegion[];
  threshold: number;
  raised: RaisedThreshold | null;
}

/** Rules by the pages that they apply to. */
export interface RulesByPage {
  ofPage: ReadonlyMap<string, IgnoreRule[]>;
  ofWidths: ReadonlyMap<string, IgnoreRule[]>;
  ofProject: readonly IgnoreRule[];
}

/** Returns whether a rule applies to a page of its project. */
export function appliesToPage(
  rule: Pick<RuleEffect, "appliesTo" | keyof ScreenshotKey>,
  page: ScreenshotKey,
): boolean {
  if (rule.appliesTo === "project") return true;
  return rule.appliesTo === "page" ? keyOf(rule) === keyOf(page) : anyWidth(rule) === anyWidth(page);
}

/** Groups rules, so that finding those of a page doesn't read all of them. */
export function groupRules(rules: readonly IgnoreRule[]): RulesByPage {
  const of = (scope: RuleScope) => rules.filter(({ appliesTo }) => appliesTo === scope);
  return {
    ofPage: Map.groupBy(of("page"), keyOf),
    ofWidths: Map.groupBy(of("widths"), anyWidth),
    ofProject: of("project"),
  };
}

/** Returns the rules that apply to a page: its own ones first, then those of all its widths, then those of all pages. */
export function rulesOf(page: ScreenshotKey, { ofPage, ofWidths, ofProject }: RulesByPage): IgnoreRule[] {
  return [...(ofPage.get(keyOf(page)) ?? []), ...(ofWidths.get(anyWidth(page)) ?? []), ...ofProject];
}

/**
 * Applies rules to a screenshot's settings. Their regions come first, and a region that is there twice counts once. Of
 * several raised thresholds, the highest counts. A rule never lowers a threshold.
 * @param scale image px per CSS px of the page. Null if unknown
 */
export function applyRules(
  settings: { ignoreRegions: readonly AppliedRegion[]; threshold: number },
  rules: readonly IgnoreRule[],
  scale: number | null,
): RuledSettings {
  const regions = rules.flatMap(rule => {
    const region = regionAt(rule, scale);
    return region ? [{ ...region, rule: rule.id }] : [];
  });
  const raising = rules
    .flatMap(({ id, threshold }) => (threshold === null ? [] : [{ id, threshold }]))
    .sort((one, other) => other.threshold - one.threshold)[0];
  const isRaised = raising !== undefined && raising.threshold > settings.threshold;
  return {
    ignoreRegions: withoutRepeats([...regions, ...settings.ignoreRegions]),
    threshold: isRaised ? raising.threshold : settings.threshold,
    raised: isRaised ? { rule: raising.id, from: settings.threshold } : null,
  };
}

/** Returns a screenshot's settings without a rule. */
export function withoutRule(settings: RuledSettings, id: string): RuledSettings {
  const isRaised = settings.raised?.rule === id;
  return {
    ignoreRegions: settings.ignoreRegions.filter(({ rule }) => rule !== id),
    threshold: isRaised && settings.raised ? settings.raised.from : settings.threshold,
    raised: isRaised ? null : settings.raised,
  };
}

/** Returns the region of a rule on a page with another scale. Null for a raised threshold. */
export function regionAt({ region, scale: from }: RuleEffect, scale: number | null): Region | null {
  return region && scale !== null && scale !== from ? scaled(region, scale / from) : region;
}

/** Scale factors of browsers are multiples of it. */
const SCALE_STEP = 1 / 8;

/** Returns the image px per CSS px of a screenshot. 1 if its image isn't wider than its viewport. */
export function scaleOf(imageWidth: number, viewport: number): number {
  return Math.max(1, Math.round(imageWidth / viewport / SCALE_STEP) * SCALE_STEP);
}

/** A region can be both a rule's and configured. */
function withoutRepeats(regions: readonly AppliedRegion[]): AppliedRegion[] {
  const seen = new Set<string>();
  return regions.filter(({ x, y, width, height, selector }) => {
    const key = JSON.stringify([x, y, width, height, selector]);
    return !seen.has(key) && seen.add(key);
  });
}

function anyWidth({ route, state, environment }: ScreenshotKey): string {
  return JSON.stringify([route, state, environment]);
}
