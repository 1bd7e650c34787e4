import { z } from "zod";

const SHOT_STATES = ["ok", "new", "changed", "failed"] as const;
const OUTCOMES = ["ok", "established", "changed", "down", "failed"] as const;

const image = z.string().regex(/^images\/[0-9a-f]{20}\.png$/);

const shot = z.object({
  /** Width of the window, px. */
  viewport: z.int(),
  state: z.enum(SHOT_STATES),
  /** Changed pixels over all, 0–1; null where nothing was compared. */
  diffRatio: z.number().nullable(),
  diffPixels: z.int().nullable(),
  /** SHA-256 of the screenshot; null where there is none. */
  hash: z.string().nullable(),
  /** Relative to the URL's folder; null where nothing differs, and gone once enough newer entries have theirs. */
  images: z.object({ baseline: image.nullable(), current: image.nullable(), diff: image.nullable() }),
  /** Whether two takes agreed; null where there is none. */
  stable: z.boolean().nullable(),
  /** How often the page was looked at: what is not fine is looked at again. */
  looks: z.int(),
  browser: z.string().nullable(),
  /** Why it failed, and what to do. */
  error: z.string().nullable(),
  /** Said beside it, such as that the baseline is another browser's. */
  notes: z.array(z.string()),
});

/** What one run found of one URL: a file of the history. */
export const historyEntry = z.object({
  version: z.literal(1),
  url: z.string(),
  /** When the run began, the same for all its URLs; ISO 8601, UTC. */
  at: z.iso.datetime(),
  durationMs: z.int(),
  outcome: z.enum(OUTCOMES),
  /** Fraction of changed pixels that was still no drift. */
  threshold: z.number(),
  shots: z.array(shot),
});

export type HistoryEntry = z.infer<typeof historyEntry>;
export type HistoryShot = z.infer<typeof shot>;
export type ShotState = (typeof SHOT_STATES)[number];
export type Outcome = (typeof OUTCOMES)[number];

/** The largest share of pixels that differs at any width, 0–1; null where nothing was compared. */
export function driftOf({ shots }: Pick<HistoryEntry, "shots">): number | null {
  const ratios = shots.flatMap(({ diffRatio }) => (diffRatio === null ? [] : [diffRatio]));
  return ratios.length > 0 ? Math.max(...ratios) : null;
}
