import { z } from "zod";
import type { AppliedRegion } from "../capture/ignore-region.ts";
import { time } from "../fields.ts";

/** Limits of proofs. */
export const PROOF_BOUNDS = {
  /** Proofs that a team can start in a minute. */
  perMinute: 10,
  /** Days after the end of a run for which its causes can be proved. */
  days: 7,
  /** Changed files that are tried. */
  files: 30,
  /** Bytes of kept bodies of a team. */
  teamBytes: 512 * 1024 * 1024,
} as const;

const PROOF_OUTCOMES = [
  ...["proven", "not_explained", "not_kept", "no_change", "page_changed", "unreachable", "failed"],
] as const;

/** Returns whether the same proof would have the same outcome again. */
export function isFinal(outcome: ProofOutcome): boolean {
  return outcome === "proven" || outcome === "not_explained" || outcome === "not_kept";
}

export type ProofOutcome = (typeof PROOF_OUTCOMES)[number];

/** What a proof found. */
export interface ProofResult {
  outcome: ProofOutcome;
  /** URLs of the files that cause the change: one, or several that only together do. */
  files: string[];
  /** Number of changed files that were tried. */
  tried: number;
  /** Number of changed files whose earlier content isn't kept. */
  unkept: number;
  /** How often the page was captured. */
  captures: number;
  /** Why the page could not be captured. */
  reason: string | null;
}

export const proofSchema = z.object({
  status: z.enum(["running", "done"]),
  outcome: z.enum(PROOF_OUTCOMES).nullable().describe("Null while it runs"),
  text: z.string().describe("The result in words, with code in backticks"),
  files: z
    .array(z.string())
    .describe("URLs of the files that cause the change: one, or several that only together do"),
  captures: z.int().describe("How often the page was captured"),
  requestedBy: z.string(),
  requestedAt: time,
  endedAt: time.nullable(),
});

/** A proof of the cause of a change, as people see it. */
export type ProofView = z.infer<typeof proofSchema>;
/** What reports and reviews show of a proof. */
export type ShownProof = Pick<ProofView, "status" | "outcome" | "text">;

/** What a proof needs besides the settings of the capture. */
export interface ProofTask {
  /** Hashes of the packed capsules. */
  capsules: { baseline: string; current: string };
  /** Hashes of the images. */
  baselineHash: string;
  currentHash: string;
  /** Difference below which two colors count as equal, 0–1. */
  colorThreshold: number;
  ignoreRegions: AppliedRegion[];
  /** Changed pixels of the screenshot. */
  diffPixels: number;
  /** URLs of files that the explanation names, the most likely first. */
  suspects: string[];
}
