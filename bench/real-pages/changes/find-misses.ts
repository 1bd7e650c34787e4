import { Random } from "../../soak/random.ts";
import { openLocalPool } from "../corpus/local-only.ts";
import type { PlannedCapture } from "../corpus/plan-captures.ts";
import { serveCorpus } from "../corpus/serve-corpus.ts";
import { ImageFolder } from "../image-folder.ts";
import { CONCURRENCY, shareWork } from "../share-work.ts";
import { BarePage, launchBareBrowser } from "./bare-page.ts";
import type { ChangeOutcome } from "./change-outcome.ts";
import { evaluateChange, type Station, type Trial } from "./evaluate-change.ts";
import { CHANGE_KINDS } from "./page-change.ts";

const PROGRESS_INTERVAL = 50;

/** Draws changes on pages of the corpus and evaluates them concurrently. */
export async function findMisses(
  captures: PlannedCapture[],
  { changes, seed, keep }: { changes: number; seed: number; keep: string | null },
): Promise<ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = [];
  const [images, browser] = await Promise.all([ImageFolder.make(), launchBareBrowser()]);
  const pool = openLocalPool();
  const shared = { pool, images, baselines: new Map<string, string>(), keep };
  const stations: Station[] = [];
  try {
    for (let worker = 0; worker < CONCURRENCY; worker++) {
      const [server, page] = await Promise.all([serveCorpus(), BarePage.open(browser)]);
      stations.push({ ...shared, server, page, isolationKey: `changes ${worker}` });
    }
    await shareWork(drawTrials(captures, changes, seed), async (trial, worker) => {
      const station = stations[worker];
      if (!station) throw new Error(`Worker ${worker} has no station.`);
      outcomes.push(await evaluateChange(trial, station));
      if (outcomes.length % PROGRESS_INTERVAL === 0) console.log(`  ${progressOf(outcomes)}`);
    });
    return outcomes;
  } finally {
    await Promise.all([browser.close(), pool.close()]);
    for (const { server } of stations) server.close();
    await images.remove();
  }
}

/** Draws the trials. All kinds alternate over the pages, which come in a drawn order. */
export function drawTrials(captures: readonly PlannedCapture[], changes: number, seed: number): Trial[] {
  const random = new Random(seed, "changes");
  const trials: Trial[] = [];
  while (trials.length < changes && captures.length > 0)
    for (const planned of random.shuffled(captures).slice(0, changes - trials.length)) {
      const first = CHANGE_KINDS[trials.length % CHANGE_KINDS.length];
      // The first kind alternates. The others follow in drawn orders, so that none of them substitutes more often.
      const kinds = random
        .shuffled(CHANGE_KINDS)
        .toSorted((a, b) => Number(b === first) - Number(a === first));
      trials.push({ planned, kinds, draw: random.next(), secondDraw: random.next() });
    }
  return trials;
}

function progressOf(outcomes: readonly ChangeOutcome[]): string {
  const count = (state: ChangeOutcome["state"]) => outcomes.filter(one => one.state === state).length;
  return `${outcomes.length} changes: ${count("found")} found, ${count("missed")} missed, ${count("invisible")} invisible, ${count("not judged")} not judged`;
}
