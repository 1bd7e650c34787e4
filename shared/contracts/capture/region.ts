import { z } from "zod";
import { unique } from "../fields.ts";

/** Regions: labels of renderer nodes, as operators set them. */

/** Most regions of a check. */
const MAX_REGIONS = 10;

/** A label of renderer nodes. */
export const REGION = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

const region = z
  .string()
  .trim()
  .toLowerCase()
  .regex(REGION, "must be a region, such as eu-west: at most 40 lowercase letters, digits and hyphens");

/** From where a check runs. */
export const regionFields = {
  regions: z
    .array(region)
    .max(MAX_REGIONS)
    .transform(unique)
    .describe("Regions to check from. Empty to check from any renderer node"),
  agree: z
    .int()
    .min(1)
    .max(MAX_REGIONS)
    .describe("Number of regions that must find a problem before the monitor alerts"),
};

/** What is wrong with more agreeing regions than there are. */
export const TOO_MANY_AGREE = "must not be more than the number of regions";

/** Returns whether so many regions can agree. Without regions, the one node of a check decides. */
export function canAgree({ regions, agree }: { regions: readonly string[]; agree: number }): boolean {
  return agree <= Math.max(1, regions.length);
}

/** What a region says about a site or a page. `no_node`: none of its renderer nodes responded. */
export const REGION_OUTCOMES = ["ok", "failing", "no_node"] as const;
export type RegionOutcome = (typeof REGION_OUTCOMES)[number];

/**
 * Decides by what the regions say: failing if enough of them found a problem, so that one region's outage doesn't
 * count. Unknown if so few regions say anything that they could never agree.
 */
export function decideByRegions(
  outcomes: readonly RegionOutcome[],
  agree: number,
): "ok" | "failing" | "unknown" {
  const count = (outcome: RegionOutcome) => outcomes.filter(each => each === outcome).length;
  if (count("failing") >= agree) return "failing";
  return count("failing") + count("ok") >= agree ? "ok" : "unknown";
}

/**
 * Returns the environment in which a region captures a page. Each region has screenshots and baselines of its own,
 * because sites show other content elsewhere. Names of environments contain no `@`.
 */
export function environmentIn(environment: string | null, region: string | null): string | null {
  return region === null ? environment : `${environment ?? ""}@${region}`;
}

/** Returns the environment of `environmentIn` without its region. */
export function environmentOutside(environment: string | null, region: string | null): string | null {
  if (region === null || environment === null) return environment;
  const suffix = `@${region}`;
  return environment.endsWith(suffix) ? environment.slice(0, -suffix.length) || null : environment;
}

/** Returns whether this is an environment of a region. */
export function isOfRegion(environment: string): boolean {
  return environment.includes("@");
}
