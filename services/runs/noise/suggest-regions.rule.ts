import type { Region } from "../../../shared/compare/comparison.ts";
import { NOISE_KINDS, type NoiseKind } from "../../../shared/contracts/noise/noise.ts";

/** One observation of noise on a page. */
export interface NoiseObservation {
  screenshotId: string;
  kind: NoiseKind;
  /** When it was recorded. */
  notedAt: Date;
  /** Size of the screenshot or its baseline, whichever is larger, in px of the image. */
  imageWidth: number;
  imageHeight: number;
  regions: readonly Region[];
}

/** Decisions of reviewers on regions of a page. */
export interface DecidedRegions {
  accepted: readonly Region[];
  dismissed: readonly { region: Region; at: Date }[];
}

/** A region with repeated noise. */
export interface SuggestedRegion extends Region {
  /** Number of screenshots in which it was noise. */
  observations: number;
  kinds: NoiseKind[];
  /** The latest of these screenshots. */
  screenshotId: string;
  at: Date;
}

/** Number of screenshots in which a region must be noise to be suggested. */
export const LEAST_OBSERVATIONS = 3;
/** Two regions match if their intersection is at least this share of their union. */
const MATCH_RATIO = 0.5;
/** A decision on a region also applies to regions with at least this share inside it. */
const DECIDED_RATIO = 0.5;
/** A region larger than this share of the page isn't suggested, because most of the page would be ignored. */
const LARGEST_RATIO = 0.5;
/** More suggestions mean that the page as a whole moves. */
const MAX_SUGGESTIONS = 10;

interface Sighting extends Region {
  observation: NoiseObservation;
}

/**
 * Returns the suggested ignore regions of a page, most observations first.
 * A region is suggested once at least three screenshots had noise in the same place. The suggestion is built around the
 * region that matches the most others, and covers all of these. Accepted regions aren't suggested again. Dismissed ones
 * count again from their next observation.
 */
export function suggestRegions(
  observations: readonly NoiseObservation[],
  { accepted, dismissed }: DecidedRegions,
): SuggestedRegion[] {
  const isOpen = (sighting: Sighting) =>
    !accepted.some(region => isDecidedBy(sighting, region)) &&
    !dismissed.some(({ region, at }) => sighting.observation.notedAt <= at && isDecidedBy(sighting, region));
  let open = observations
    .flatMap(observation => observation.regions.map(region => ({ ...pickRegion(region), observation })))
    .filter(isOpen)
    .sort(byPosition);
  const neighbors = new Map(open.map(one => [one, open.filter(other => isMatch(one, other))]));
  const suggested: SuggestedRegion[] = [];
  while (suggested.length < MAX_SUGGESTIONS) {
    const remaining = new Set(open);
    const groups = open.map(one => neighbors.get(one)?.filter(other => remaining.has(other)) ?? []);
    const largest = groups.reduce<Sighting[]>(
      (best, group) => (screenshotsOf(group) > screenshotsOf(best) ? group : best),
      [],
    );
    if (screenshotsOf(largest) < LEAST_OBSERVATIONS) break;
    const grouped = new Set(largest);
    open = open.filter(one => !grouped.has(one));
    const suggestion = suggestionOf(largest);
    const most = (side: "imageWidth" | "imageHeight") =>
      Math.max(...largest.map(({ observation }) => observation[side]));
    if (areaOf(suggestion) <= LARGEST_RATIO * most("imageWidth") * most("imageHeight"))
      suggested.push(suggestion);
  }
  return suggested;
}

/** Returns whether two regions match, allowing for some movement and growth. */
export function isMatch(one: Region, other: Region): boolean {
  const both = intersection(one, other);
  return both > 0 && both >= MATCH_RATIO * (areaOf(one) + areaOf(other) - both);
}

/** Returns whether the decision on one region applies to another: at least half of it lies inside. */
export function isDecidedBy(region: Region, decided: Region): boolean {
  return intersection(region, decided) >= DECIDED_RATIO * areaOf(region);
}

function suggestionOf(sightings: Sighting[]): SuggestedRegion {
  const x = Math.min(...sightings.map(region => region.x));
  const y = Math.min(...sightings.map(region => region.y));
  const right = Math.max(...sightings.map(region => region.x + region.width));
  const bottom = Math.max(...sightings.map(region => region.y + region.height));
  const kinds = new Set(sightings.map(({ observation }) => observation.kind));
  const latest = sightings
    .map(({ observation }) => observation)
    .reduce((best, each) => (each.notedAt > best.notedAt ? each : best));
  return {
    ...{ x, y, width: right - x, height: bottom - y },
    observations: screenshotsOf(sightings),
    kinds: NOISE_KINDS.filter(kind => kinds.has(kind)),
    screenshotId: latest.screenshotId,
    at: latest.notedAt,
  };
}

/** A screenshot can be noise for two reasons. It counts once. */
function screenshotsOf(sightings: Sighting[]): number {
  return new Set(sightings.map(({ observation }) => observation.screenshotId)).size;
}

function byPosition(one: Sighting, other: Sighting): number {
  return (
    one.y - other.y ||
    one.x - other.x ||
    one.height - other.height ||
    one.width - other.width ||
    (one.observation.screenshotId < other.observation.screenshotId ? -1 : 1)
  );
}

function intersection(one: Region, other: Region): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(width, 0) * Math.max(height, 0);
}

function areaOf({ width, height }: Region): number {
  return width * height;
}

function pickRegion({ x, y, width, height }: Region): Region {
  return { x, y, width, height };
}
