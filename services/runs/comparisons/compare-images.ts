import { createHash } from "node:crypto";
import { COLOR_THRESHOLD } from "../../../shared/compare/pixel-rule.ts";
import type { AppliedRegion } from "../../../shared/contracts/capture/ignore-region.ts";
import type { Result } from "../../../shared/contracts/runs/jobs.ts";
import type { RunsContext } from "../runs-context.ts";
import { COMPARISON_ERRORS } from "../texts/runs.ts";
import {
  countOpenPairs,
  findPairs,
  openPairs,
  type PairResult,
  recordFailedPairs,
  recordPairs,
  type StoredPair,
  takeOverPairs,
} from "./pair.store.ts";

/**
 * Most comparisons of a team that wait or run at the same time. It bounds what an abandoned comparison costs. A repeated
 * request continues with the next ones.
 */
const OPEN_PAIRS = 200;
/** Results arrive within seconds. A job that takes longer and that the queue doesn't have is lost. */
const LOST_AFTER_SECONDS = 15;

/** Start of a comparison's id. Its results are in the same queue as those of screenshots. */
const PREFIX = "pair_";

/** Two different images, and all that their comparison depends on. */
export interface ImagePair {
  baseHash: string;
  headHash: string;
  baseCapsule: string | null;
  headCapsule: string | null;
  colorThreshold: number | null;
  ignoreRegions: AppliedRegion[];
}

/** Returns the id of a comparison: equal for equal images, capsules and settings. */
export function pairId({
  baseHash,
  headHash,
  baseCapsule,
  headCapsule,
  colorThreshold,
  ignoreRegions,
}: ImagePair): string {
  const capsules = baseCapsule !== null && headCapsule !== null ? [baseCapsule, headCapsule] : [];
  const regions = ignoreRegions.map(({ x, y, width, height }) => [x, y, width, height]);
  const parts = [baseHash, headHash, capsules, colorThreshold ?? COLOR_THRESHOLD, regions];
  return PREFIX + createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 40);
}

/**
 * Returns the stored comparisons of these images, and queues missing ones, as many as the team may have open. Each is
 * compared once, however many requests and nodes ask for it.
 */
export async function compareImages(
  context: RunsContext,
  teamId: string,
  images: ReadonlyMap<string, ImagePair>,
): Promise<Map<string, StoredPair>> {
  const em = context.em();
  const known = await findPairs(em, teamId, [...images.keys()]);
  const added = [...images].filter(([id]) => !known.has(id));
  const failed = [...images].filter(([id]) => (known.get(id)?.error ?? null) !== null);
  // Failed ones come last: they are not tried again at once, and would take the room of the others.
  const missing = [...added, ...failed];
  if (missing.length > 0) {
    const room = OPEN_PAIRS - (await countOpenPairs(em, teamId));
    const next = missing.slice(0, Math.max(0, room)).map(([id, { baseHash, headHash }]) => ({
      ...{ id, baseHash, headHash },
    }));
    await enqueue(context, teamId, images, await openPairs(em, teamId, next));
  }
  await enqueueLost(context, teamId, images, known);
  return known;
}

/** Queues comparisons again whose jobs got lost, for example with a node that has its queue in memory. */
async function enqueueLost(
  context: RunsContext,
  teamId: string,
  images: ReadonlyMap<string, ImagePair>,
  known: ReadonlyMap<string, StoredPair>,
): Promise<void> {
  const open = [...known.values()].filter(({ comparedAt, error }) => comparedAt === null && error === null);
  if (open.length === 0) return;
  const queued = await context.queue.idsOf("compare", teamId);
  const lost = open.map(({ id }) => id).filter(id => !queued.has(id));
  await enqueue(context, teamId, images, await takeOverPairs(context.em(), teamId, lost, LOST_AFTER_SECONDS));
}

async function enqueue(
  context: RunsContext,
  teamId: string,
  images: ReadonlyMap<string, ImagePair>,
  attempts: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [id, attempt] of attempts) {
    const pair = images.get(id);
    if (!pair) continue;
    const { baseHash, headHash, baseCapsule, headCapsule, colorThreshold, ignoreRegions } = pair;
    const capsules =
      baseCapsule !== null && headCapsule !== null ? { baseline: baseCapsule, current: headCapsule } : null;
    // The differ compares it like a screenshot of a run. The team stands for the run.
    const job = {
      ...{ runId: teamId, screenshotId: id, baselineHash: baseHash, currentHash: headHash, ignoreRegions },
      colorThreshold: colorThreshold ?? COLOR_THRESHOLD,
      ...(capsules && { capsules }),
      token: context.tokens.issue("compare", teamId, id),
    };
    await context.queue.enqueue("compare", job, { id, fairKey: teamId, attempt });
  }
}

/**
 * Writes the results of comparisons of two images. Repeated results change nothing. @returns the other results, which
 * are of screenshots
 */
export async function recordPairResults(
  { em }: Pick<RunsContext, "em">,
  results: Result[],
): Promise<Result[]> {
  const [own, others] = [results.filter(isOfPair), results.filter(result => !isOfPair(result))];
  if (own.length === 0) return others;
  await recordPairs(em(), own.flatMap(pairResultOf));
  await recordFailedPairs(
    em(),
    own.flatMap(({ kind, runId: teamId, screenshotId: id }) =>
      kind === "failed" ? [{ teamId, id, error: COMPARISON_ERRORS.failed }] : [],
    ),
  );
  return others;
}

/** Screenshots have other ids. */
function isOfPair({ screenshotId }: Result): boolean {
  return screenshotId.startsWith(PREFIX);
}

function pairResultOf(result: Result): PairResult[] {
  if (result.kind !== "compared") return [];
  const { runId: teamId, screenshotId: id, baselineHash: baseHash, currentHash: headHash } = result;
  const {
    diffPixels,
    diffRatio,
    faintPixels = 0,
    regions,
    maskHash,
    fingerprint,
    explanation = null,
  } = result;
  const found = { diffPixels, diffRatio, faintPixels, regions, maskHash, fingerprint, explanation };
  return [{ teamId, id, baseHash, headHash, ...found }];
}
