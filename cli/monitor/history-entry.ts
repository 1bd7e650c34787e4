import { z } from "zod";

const SHOT_STATES = ["ok", "new", "changed", "failed"] as const;
const OUTCOMES = ["ok", "established", "changed", "down", "failed"] as const;

const image = z.string().regex(/^images\/[0-9a-f]{20}\.png$/);

const shot = z.object({
  /** Name of the page's state that a screenshot step captured. Null for the page's own screenshot. */
  stateName: z.string().nullable().default(null),
  /** Name of the environment. Null for the default one. */
  environment: z.string().nullable().default(null),
  /** Viewport width, px. */
  viewport: z.int(),
  /** Result of the comparison. */
  state: z.enum(SHOT_STATES),
  /** Share of changed pixels, 0–1. Null if nothing was compared. */
  diffRatio: z.number().nullable(),
  diffPixels: z.int().nullable(),
  /** SHA-256 of the screenshot. Null if there is none. */
  hash: z.string().nullable(),
  /**
   * Paths relative to the URL's folder. Null if nothing changed. The files are deleted once enough newer entries
   * have images.
   */
  images: z.object({ baseline: image.nullable(), current: image.nullable(), diff: image.nullable() }),
  /** Whether two screenshots agreed. Null if there is none. */
  stable: z.boolean().nullable(),
  /** Number of attempts. Problems are confirmed by another attempt. */
  looks: z.int(),
  browser: z.string().nullable(),
  /** Why it failed, and what to do. */
  error: z.string().nullable(),
  /** Notes, such as that another browser captured the baseline. */
  notes: z.array(z.string()),
});

/** The result of one run for one URL: a file of the history. */
export const historyEntry = z.object({
  version: z.literal(1),
  url: z.string(),
  /** Start of the run, the same for all its URLs. ISO 8601, UTC. */
  at: z.iso.datetime(),
  durationMs: z.int(),
  outcome: z.enum(OUTCOMES),
  /** Share of changed pixels up to which a page counted as unchanged, 0–1. */
  threshold: z.number(),
  shots: z.array(shot),
});

export type HistoryEntry = z.infer<typeof historyEntry>;
export type HistoryShot = z.infer<typeof shot>;
export type ShotState = (typeof SHOT_STATES)[number];
export type Outcome = (typeof OUTCOMES)[number];

/** Returns the largest share of changed pixels at any width, 0–1. Null if nothing was compared. */
export function driftOf({ shots }: Pick<HistoryEntry, "shots">): number | null {
  const ratios = shots.flatMap(({ diffRatio }) => (diffRatio === null ? [] : [diffRatio]));
  return ratios.length > 0 ? Math.max(...ratios) : null;
}
