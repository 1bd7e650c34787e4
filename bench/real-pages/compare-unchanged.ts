import type { BrowserPool } from "../../shared/capture/browser/browser-pool.ts";
import { captureInPool } from "../../shared/capture/capture-in-pool.ts";
import type { Capture } from "../../shared/capture/capture-types.ts";
import { CaptureError } from "../../shared/capture/capture-types.ts";
import { compareScreenshots } from "../../shared/compare/compare.ts";
import { Chance } from "../soak/chance.ts";
import { openLocalPool } from "./corpus/local-only.ts";
import { nameOf, type PlannedCapture } from "./corpus/plan-captures.ts";
import type { CorpusServer } from "./corpus/serve-corpus.ts";
import { ImageFolder, keepImages } from "./image-folder.ts";
import { whileBusy } from "./keep-busy.ts";
import type { KeptPart } from "./kept-part.ts";
import { isFalseChange, type NullComparison, tallyNulls } from "./null-comparison.ts";
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
  chance: Chance;
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
    kept,
  }: {
    rounds: { idle: number; busy: number };
    seed: number;
    keep: string | null;
    kept: KeptPart<NullResults>;
  },
): Promise<NullResults> {
  const results: NullResults = (await kept.read()) ?? { rounds: 0, comparisons: [], failures: [] };
  if (results.rounds >= rounds.idle + rounds.busy) return results;
  const images = await ImageFolder.make();
  const pool = openLocalPool();
  const chance = new Chance(seed, "null comparisons");
  const context: Context = { server, pool, images, baselines: new Map(), chance, keep, results };
  try {
    await takeBaselines(context, captures);
    // The busy rounds are mixed with the idle ones, so that other load on the machine affects both.
    const kinds = chance.shuffled([
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
      await kept.write(results);
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

async function takeBaselines(context: Context, captures: PlannedCapture[]): Promise<void> {
  const start = performance.now();
  await shareWork(context.chance.shuffled(captures), async (planned, worker) => {
    const taken = await captureOnce(context, planned, `baselines ${worker}`, null);
    if (taken === null) return;
    context.baselines.set(nameOf(planned), taken.hash);
    await context.images.write(nameOf(planned), taken.png);
  });
  console.log(`  ${context.baselines.size} baselines of ${captures.length} captures, ${seconds(start)} s`);
}

async function compareRound(
  context: Context,
  captures: PlannedCapture[],
  isBusy: boolean,
): Promise<NullComparison[]> {
  const { chance, baselines, results } = context;
  const found: NullComparison[] = [];
  const drawn = chance
    .shuffled(captures)
    .map((planned, index) => ({ planned, fresh: chance.happens(0.5) ? `fresh ${index}` : null }));
  await shareWork(drawn, async ({ planned, fresh }, worker) => {
    const baselineHash = baselines.get(nameOf(planned));
    if (baselineHash === undefined) return;
    const taken = await captureOnce(context, planned, fresh ?? `warm ${worker}`, baselineHash);
    if (taken === null) return;
    const { attempts, stable: isStable, moving } = taken;
    const pixels = taken.hash === baselineHash ? null : await changedPixels(context, planned, taken);
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
  const { diffPixels, mask } = await compareScreenshots(baseline, png);
  if (diffPixels > 0) await keepImages(keep, nameOf(planned), { baseline, current: png, mask });
  return diffPixels;
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
  const taken = await captureInPool(pool, isolationKey, request, new AbortController().signal);
  if (taken !== null && !(taken instanceof CaptureError)) return taken;
  results.failures.push(`${nameOf(planned)}: ${taken?.message ?? "aborted"}`);
  return null;
}

function seconds(start: number): string {
  return ((performance.now() - start) / 1_000).toFixed(0);
}
