import { type Capsule, readCapsule } from "../../../shared/capture/capsule/capsule.ts";
import { captureInPool, type PooledCapture } from "../../../shared/capture/capture-in-pool.ts";
import { CaptureError } from "../../../shared/capture/capture-types.ts";
import { ComparePool } from "../../../shared/compare/compare-pool.ts";
import { differingPixels } from "../../../shared/compare/comparison.ts";
import type { Cause, Explanation } from "../../../shared/contracts/runs/explanation.ts";
import { Random } from "../../soak/random.ts";
import { openLocalPool } from "../corpus/local-only.ts";
import { shareWork } from "../share-work.ts";
import { drawChange, SEEDED_KINDS, type SeededChange, type SeededKind } from "./draw-change.ts";
import { openTrials, type SeededTrial } from "./seeded-trial.ts";
import { type EditedServer, serveEdited } from "./serve-edited.ts";

/** How one seeded change was explained. */
export interface Judged {
  page: string;
  kind: SeededKind;
  isElement: boolean;
  isFile: boolean;
  /** Whether the seeded cause is the first one. */
  isFirst: boolean;
  /** The text of the first cause. */
  text: string;
}

const VIEWPORT_PX = 1280;

/** Changes to draw for each judged one. About a third of them is skipped. */
const DRAWN_PER_JUDGED = 2;

/**
 * Draws changes on pages, and judges their explanations until so many are judged. Changes that no pixel shows, or that
 * aren't stable, are skipped.
 * @param folder keeps the trials; null for none
 */
export async function judgeExplanations(
  pages: readonly string[],
  { changes, seed, folder }: { changes: number; seed: number; folder: string | null },
): Promise<Judged[]> {
  const random = new Random(seed, "explain");
  const kept = openTrials(folder);
  const comparing = new ComparePool({ threads: 1 });
  const browser = new TrialBrowser(comparing);
  const judged: Judged[] = [];
  const draws = Array.from({ length: changes * DRAWN_PER_JUDGED }, (_, n) => ({
    n,
    page: random.shuffled(pages)[0] ?? "",
    kind: SEEDED_KINDS[n % SEEDED_KINDS.length] ?? "text",
    draw: new Random(seed * 1_000 + n, "change"),
  }));
  try {
    await shareWork(draws, async ({ n, ...drawn }, worker) => {
      if (judged.length >= changes) return;
      let trial = await kept.read(n);
      if (trial === undefined) {
        trial = await browser.tryChange(drawn, worker);
        await kept.write(n, trial);
      }
      if (trial === null) return;
      const { page, change, before, after, regions } = trial;
      judged.push(judge(page, change, await comparing.explain(before, after, regions)));
    });
    return judged;
  } finally {
    await Promise.all([browser.close(), comparing.close()]);
  }
}

/** Changes pages in a browser. */
class TrialBrowser {
  readonly #pool = openLocalPool();
  readonly #servers = Promise.all([serveEdited(), serveEdited()]);
  readonly #comparing: ComparePool;

  constructor(comparing: ComparePool) {
    this.#comparing = comparing;
  }

  /** Captures a page before and after a drawn change. Returns null for a change that is skipped. */
  async tryChange(
    { page, kind, draw }: { page: string; kind: SeededKind; draw: Random },
    worker: number,
  ): Promise<SeededTrial | null> {
    const server = (await this.#servers)[worker];
    if (server === undefined) return null;
    server.edit = null;
    const before = await this.#capture(server, page, worker);
    const capsule = await capsuleOf(before);
    const change = capsule && drawChange(kind, capsule, draw);
    if (!before || before instanceof CaptureError || !before.capsule || !change) return null;
    server.edit = change.edit;
    const after = await this.#capture(server, page, worker);
    if (!after || after instanceof CaptureError || !after.capsule || !after.stable) return null;
    const compared = await this.#comparing.compare(before.png, after.png);
    if (differingPixels(compared) === 0) return null;
    return { page, change, before: before.capsule, after: after.capsule, regions: compared.regions };
  }

  async #capture(server: EditedServer, page: string, worker: number) {
    const request = { url: `${server.url}/${page}`, viewport: VIEWPORT_PX, options: {}, baselineHash: null };
    const { signal } = new AbortController();
    return await captureInPool(
      this.#pool,
      `explain ${worker}`,
      { ...request, capsules: "all", isFresh: true },
      signal,
    );
  }

  async close(): Promise<void> {
    for (const server of await this.#servers) server.close();
    await this.#pool.close();
  }
}

async function capsuleOf(captured: PooledCapture | CaptureError | null): Promise<Capsule | null> {
  if (captured === null || captured instanceof CaptureError || !captured.capsule) return null;
  return await readCapsule(captured.capsule);
}

function judge(page: string, change: SeededChange, { causes }: Explanation): Judged {
  const isOf = (cause: Cause) =>
    change.causes.includes(cause.kind) &&
    (change.selectors.length === 0 ||
      change.selectors.some(name => name === cause.selector || name === cause.rule)) &&
    (change.property === null || (cause.property ?? "").startsWith(change.property));
  const at = causes.findIndex(isOf);
  const file = causes[at]?.file ?? null;
  return {
    ...{ page, kind: change.kind, isElement: at !== -1, isFirst: at === 0 },
    isFile: file !== null && new URL(file.url).pathname === change.file,
    text: causes[0]?.text ?? "none",
  };
}
