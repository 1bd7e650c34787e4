import { type Capsule, readCapsule } from "../../../shared/capture/capsule/capsule.ts";
import { captureInPool, type PooledCapture } from "../../../shared/capture/capture-in-pool.ts";
import { CaptureError } from "../../../shared/capture/capture-types.ts";
import { ComparePool } from "../../../shared/compare/compare-pool.ts";
import type { Cause, Explanation } from "../../../shared/contracts/runs/explanation.ts";
import { Random } from "../../soak/random.ts";
import { openLocalPool } from "../corpus/local-only.ts";
import { shareWork } from "../share-work.ts";
import { drawChange, SEEDED_KINDS, type SeededChange, type SeededKind } from "./draw-change.ts";
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

/** Draws changes on pages and judges their explanations. Changes that no pixel shows, or that aren't stable, are skipped. */
export async function judgeExplanations(
  pages: readonly string[],
  changes: number,
  seed: number,
): Promise<Judged[]> {
  const random = new Random(seed, "explain");
  const [pool, comparing] = [openLocalPool(), new ComparePool({ threads: 1 })];
  const servers = await Promise.all([serveEdited(), serveEdited()]);
  const judged: Judged[] = [];
  const trials = Array.from({ length: changes }, (_, n) => ({
    page: random.shuffled(pages)[0] ?? "",
    kind: SEEDED_KINDS[n % SEEDED_KINDS.length] ?? "text",
    draw: new Random(seed * 1_000 + n, "change"),
  }));
  const capture = async (server: EditedServer, page: string, worker: number) => {
    const request = { url: `${server.url}/${page}`, viewport: VIEWPORT_PX, options: {}, baselineHash: null };
    const signal = new AbortController().signal;
    return await captureInPool(
      pool,
      `explain ${worker}`,
      { ...request, capsules: "all", isFresh: true },
      signal,
    );
  };
  try {
    await shareWork(trials, async ({ page, kind, draw }, worker) => {
      const server = servers[worker];
      if (server === undefined) return;
      server.edit = null;
      const before = await capture(server, page, worker);
      const capsule = await capsuleOf(before);
      const change = capsule && drawChange(kind, capsule, draw);
      if (!before || before instanceof CaptureError || !capsule || !change) return;
      server.edit = change.edit;
      const after = await capture(server, page, worker);
      if (!after || after instanceof CaptureError || !after.capsule || !before.capsule || !after.stable)
        return;
      const { regions, diffPixels } = await comparing.compare(before.png, after.png);
      if (diffPixels === 0) return;
      judged.push(judge(page, change, await comparing.explain(before.capsule, after.capsule, regions)));
    });
    return judged;
  } finally {
    for (const server of servers) server.close();
    await Promise.all([pool.close(), comparing.close()]);
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
