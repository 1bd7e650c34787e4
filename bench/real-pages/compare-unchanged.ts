import type { BrowserPool } from "../../shared/capture/browser/browser-pool.ts";
import { captureInPool } from "../../shared/capture/capture-in-pool.ts";
import type { Capture } from "../../shared/capture/capture-types.ts";
import { CaptureError } from "../../shared/capture/capture-types.ts";
import { compareScreenshots } from "../../shared/compare/compare.ts";
import { differingPixels } from "../../shared/compare/comparison.ts";
import { Random } from "../soak/random.ts";
import { openLocalPool } from "./corpus/local-only.ts";
import { nameOf, type PlannedCapture } from "./corpus/plan-captures.ts";
import type { CorpusServer } from "./corpus/serve-corpus.ts";
import { ImageFolder, keepImages } from "./image-folder.ts";
import { whileBusy } from "./keep-busy.ts";
import { isFalseChange, type NullComparison, tallyNulls } from "./null-comparison.ts";
import type { SavedPart } from "./saved-part.ts";
import { shareWork } from "./share-work.ts";

/** Comparisons that a published figure needs, half of them on busy cores. */
const COMPARISONS_TO_QUOTE = 10_000;

export interface NullResults {
  /** Number of rounds in it. */
  rounds: number;
  comparisons: NullComparison[];
  /** Captures that failed, as sentences. */
  failures: string[];
}

interface Context {
  server: CorpusServer;
  pool: BrowserPool;
  images: ImageFolder;
  /** Baselines' hashes by capture name. */
  baselines: Map<string, string>;
  random: Random;
  keep: string | null;
  results: NullResults;
}

/** Returns how many rounds make enough comparisons, half of them busy. */
export function roundsFor(captures: number): { idle: number; busy: number } {
  const each = Math.ceil(COMPARISONS_TO_QUOTE / 2 / captures);
  return { idle: each, busy: each };
}

/**
 * Captures every page once as in a first run. Then it captures them in drawn orders as in warm runs, in warm and in new
 * contexts, and compares. Rounds that were kept are not measured again.
 */
export async function compareUnchanged(
  server: CorpusServer,
  captures: PlannedCapture[],
  {
    rounds,
    seed,
    keep,
    saved,
  }: {
    rounds: { idle: number; busy: number };
    seed: number;
    keep: string | null;
    saved: SavedPart<NullResults>;
  },
): Promise<NullResults> {
  const results: NullResults = (await saved.read()) ?? { rounds: 0, comparisons: [], failures: [] };
  if (results.rounds >= rounds.idle + rounds.busy) return results;
  const images = await ImageFolder.make();
  const pool = openLocalPool();
  const random = new Random(seed, "null comparisons");
  const context: Context = { server, pool, images, baselines: new Map(), random, keep, results };
  try {
    await captureBaselines(context, captures);
    // The busy rounds are mixed with the idle ones, so that other load on the machine affects both.
    const kinds = random.shuffled([
      ...Array.from({ length: rounds.idle }, () => false),
      ...Array.from({ length: rounds.busy }, () => true),
    ]);
    for (const [index, isBusy] of kinds.entries()) {
      if (index < results.rounds) continue;
      const work = () => compareRound(context, captures, isBusy);
      const start = performance.now();
      const found = await (isBusy ? whileBusy(work) : work());
      const { comparisons, falseChanges, meanAttempts } = tallyNulls(found);
      results.rounds = index + 1;
      await saved.write(results);
      console.log(
        `  round ${index + 1} of ${kinds.length}, ${isBusy ? "busy" : "idle"}: ${falseChanges} false changes in ${comparisons} comparisons, ${meanAttempts.toFixed(3)} attempts each, ${seconds(start)} s`,
      );
    }
    return results;
  } finally {
    await pool.close();
    await images.remove();
  }
}

async function captureBaselines(context: Context, captures: PlannedCapture[]): Promise<void> {
  const start = performance.now();
  await shareWork(context.random.shuffled(captures), async (planned, worker) => {
    const captured = await captureOnce(context, planned, `baselines ${worker}`, null);
    if (captured === null) return;
    context.baselines.set(nameOf(planned), captured.hash);
    await context.images.write(nameOf(planned), captured.png);
  });
  console.log(`  ${context.baselines.size} baselines of ${captures.length} captures, ${seconds(start)} s`);
}

async function compareRound(
  context: Context,
  captures: PlannedCapture[],
  isBusy: boolean,
): Promise<NullComparison[]> {
  const { random, baselines, results } = context;
  const found: NullComparison[] = [];
  const drawn = random
    .shuffled(captures)
    .map((planned, index) => ({ planned, fresh: random.happens(0.5) ? `fresh ${index}` : null }));
  await shareWork(drawn, async ({ planned, fresh }, worker) => {
    const baselineHash = baselines.get(nameOf(planned));
    if (baselineHash === undefined) return;
    const captured = await captureOnce(context, planned, fresh ?? `warm ${worker}`, baselineHash);
    if (captured === null) return;
    const { attempts, stable: isStable, moving } = captured;
    const pixels = captured.hash === baselineHash ? null : await changedPixels(context, planned, captured);
    const difference = pixels === null ? null : { pixels, moving };
    const comparison = { planned, isBusy, attempts, isStable, difference };
    found.push(comparison);
    if (isFalseChange(comparison))
      console.log(
        `    ${nameOf(planned)}: ${pixels} px, ${fresh ? "fresh" : "warm"}, ${isStable ? "stable" : `unstable: ${moving.join(", ")}`}`,
      );
  });
  results.comparisons.push(...found);
  return found;
}

async function changedPixels(
  { images, keep }: Context,
  planned: PlannedCapture,
  { png }: Capture,
): Promise<number> {
  const baseline = await images.read(nameOf(planned));
  const comparison = await compareScreenshots(baseline, png);
  const pixels = differingPixels(comparison);
  if (pixels > 0) await keepImages(keep, nameOf(planned), { baseline, current: png, mask: comparison.mask });
  return pixels;
}

/** Returns null, and records why, when the page can't be captured. */
async function captureOnce(
  { pool, server, results }: Context,
  planned: PlannedCapture,
  isolationKey: string,
  baselineHash: string | null,
): Promise<Capture | null> {
  const request = {
    url: `${server.url}/${planned.page}`,
    viewport: planned.width,
    baselineHash,
    options: {},
  };
  const captured = await captureInPool(pool, isolationKey, request, new AbortController().signal);
  if (captured !== null && !(captured instanceof CaptureError)) return captured;
  results.failures.push(`${nameOf(planned)}: ${captured?.message ?? "aborted"}`);
  return null;
}

function seconds(start: number): string {
  return ((performance.now() - start) / 1_000).toFixed(0);
}
