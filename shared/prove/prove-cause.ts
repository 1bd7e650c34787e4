import type { Capsule } from "../capture/capsule/capsule.ts";
import { type Capture, CaptureError } from "../capture/capture-types.ts";
import type { FindReplacement } from "../capture/network/rules/replace-responses.ts";
import type { ProofOutcome, ProofResult } from "../contracts/runs/proof.ts";
import { findChangedFiles, replacementsOf } from "./changed-files.ts";
import { findCause } from "./find-cause.ts";

/** A difference has vanished if at most this share of its pixels is left. Pages aren't always equal to the pixel. */
const LEFT_RATIO = 0.01;

/** The two images of a change. */
type Side = "baseline" | "current";

/** A change whose cause is to be proved, and how to capture and compare its page. */
export interface ProofWork {
  /** Returns the capsule of an image. @throws ProofEnd `not_kept` */
  capsule(side: Side): Promise<Capsule>;
  /** Returns kept bodies of responses by their SHA-256. Those that aren't kept are missing. */
  bodies(hashes: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /**
   * Captures the page in a new browser context. Returns the error of a page that can't be captured.
   * @param expected the image that it probably equals, which saves a second load
   * @throws ProofEnd; errors that say nothing about the page
   */
  capture(expected: Side, replace: FindReplacement | undefined): Promise<Capture | CaptureError>;
  /** Compares an image with a capture. @throws ProofEnd `not_kept` */
  changedPixels(side: Side, captured: Capture): Promise<number>;
  /** SHA-256 of the capture. */
  currentHash: string;
  /** Changed pixels of the screenshot. */
  diffPixels: number;
  /** URLs of files that the explanation names, the most likely first. */
  suspects: readonly string[];
}

/** Ends a proof with an outcome. */
export class ProofEnd extends Error {
  readonly outcome: ProofOutcome;
  readonly reason: string | null;

  constructor(outcome: ProofOutcome, reason: string | null = null) {
    super(outcome);
    this.outcome = outcome;
    this.reason = reason;
  }
}

/**
 * Captures a changed page again with files of its baseline, until it is known which file causes the change.
 * @throws errors that say nothing about the page
 */
export async function proveCause(work: ProofWork): Promise<ProofResult> {
  const result: ProofResult = {
    ...{ outcome: "failed", files: [], tried: 0, unkept: 0, captures: 0 },
    reason: null,
  };
  const capture: ProofWork["capture"] = async (expected, replace) => {
    result.captures++;
    return await work.capture(expected, replace);
  };
  try {
    const files = await prove({ ...work, capture }, result);
    return { ...result, outcome: files === null ? "not_explained" : "proven", files: files ?? [] };
  } catch (error) {
    if (!(error instanceof ProofEnd)) throw error;
    return { ...result, outcome: error.outcome, reason: error.reason };
  }
}

/** @returns URLs of the files that cause the change; null if no changed file does */
async function prove(work: ProofWork, result: ProofResult): Promise<string[] | null> {
  const { diffPixels } = work;
  const [before, after] = [await work.capsule("baseline"), await work.capsule("current")];
  const { files, unkept } = findChangedFiles(before, after, work.suspects);
  const bodies = await work.bodies(files.flatMap(({ before: was }) => was?.body ?? []));
  const usable = files.filter(
    ({ before: was }) => was === null || (was.body !== undefined && bodies.has(was.body)),
  );
  result.tried = usable.length;
  result.unkept = unkept + files.length - usable.length;
  if (usable.length === 0) throw new ProofEnd(result.unkept > 0 ? "not_kept" : "not_explained");
  await requireSameChange(work);
  const found = await findCause(usable, async replaced => {
    const captured = await work.capture("baseline", replacementsOf(replaced, after, bodies));
    if (captured instanceof CaptureError) return false;
    return (await work.changedPixels("baseline", captured)) <= diffPixels * LEFT_RATIO;
  });
  return found?.map(({ url }) => url) ?? null;
}

/** Captures the page as it is now. It must look as before: otherwise nothing follows from another look. */
async function requireSameChange(work: ProofWork): Promise<void> {
  const { currentHash, diffPixels } = work;
  const captured = await work.capture("current", undefined);
  if (captured instanceof CaptureError) throw new ProofEnd("unreachable", captured.message);
  if (captured.hash === currentHash) return;
  if ((await work.changedPixels("baseline", captured)) <= diffPixels * LEFT_RATIO)
    throw new ProofEnd("no_change");
  if ((await work.changedPixels("current", captured)) > diffPixels * LEFT_RATIO)
    throw new ProofEnd("page_changed");
}
