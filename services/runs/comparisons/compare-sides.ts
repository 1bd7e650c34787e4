import { createHash } from "node:crypto";
import type { CompareQuery, ComparisonView } from "../../../shared/contracts/comparisons/comparisons.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import { countCausesOfChanged } from "../../../shared/report/describe-explanation.ts";
import type { RunsContext } from "../runs-context.ts";
import { compareImages, type ImagePair, pairId } from "./compare-images.ts";
import { type MatchedPage, matchPages } from "./match-pages.rule.ts";
import { countPairs, groupPairs, viewOfPair } from "./present-comparison.ts";
import type { WholeComparison } from "./recent-comparisons.ts";
import { resolveSide } from "./resolve-side.ts";
import type { SidePage } from "./side.store.ts";

/** Explanations can be long. This is well below the maximum of a message on the bus. */
const MAX_PART_BYTES = 256 * 1024;
const INDEX = /^\d{1,5}$/;

/**
 * Compares two sides of the team: returns what is known, and queues the rest. Equal images need no comparison.
 * @throws ServiceError not_found, conflict, or invalid_request for a cursor
 */
export async function compareSides(
  context: RunsContext,
  { teamId }: Caller,
  { query }: { query: CompareQuery },
): Promise<ComparisonView> {
  const list = listOf(query);
  const after = decodeCursor(list, query.cursor, INDEX);
  const known = after === undefined ? undefined : context.comparisons.find(teamId, list);
  const { pairs, ...comparison } = known ?? (await compareAll(context, teamId, query));
  const rest = pairs
    .map((row, index) => ({ id: String(index), ...row }))
    .slice(after === undefined ? 0 : Number(after) + 1);
  const page = pageOf(list, rest, countFitting(rest, query.limit), ({ pair }) => pair);
  if (!known && page.nextCursor !== null) context.comparisons.keep(teamId, list, { ...comparison, pairs });
  return { ...comparison, ...page };
}

async function compareAll(
  context: RunsContext,
  teamId: string,
  query: CompareQuery,
): Promise<WholeComparison> {
  const em = context.em();
  const base = await resolveSide(em, teamId, query.base);
  const head = await resolveSide(em, teamId, query.head);
  const matched = matchPages(base.pages, head.pages, query);
  const images = new Map<string, ImagePair>();
  const ids = matched.map(pages => {
    const pair = imagesOf(pages);
    if (!pair) return null;
    const id = pairId(pair);
    images.set(id, pair);
    return id;
  });
  const found = await compareImages(context, teamId, images);
  const pairs = matched.map((pages, index) =>
    viewOfPair(pages, found.get(ids[index] ?? ""), teamId, context.links),
  );
  const counts = countPairs(pairs);
  const total = pairs.length - counts.added - counts.removed;
  return {
    status: counts.comparing > 0 ? "comparing" : "completed",
    base: base.view,
    head: head.view,
    progress: { total, compared: total - counts.comparing },
    counts,
    causes: countCausesOfChanged(pairs),
    groups: groupPairs(pairs),
    pairs: pairs.map(pair => ({ pair, bytes: Buffer.byteLength(JSON.stringify(pair)) })),
  };
}

/** Returns what to compare of a page. Null if a side is missing or failed, or if both images are equal. */
function imagesOf({ base, head }: MatchedPage<SidePage>): ImagePair | null {
  if (!base || !head || base.hash === null || head.hash === null || base.hash === head.hash) return null;
  return {
    baseHash: base.hash,
    headHash: head.hash,
    baseCapsule: base.capsuleHash,
    headCapsule: head.capsuleHash,
    colorThreshold: head.colorThreshold ?? base.colorThreshold,
    ignoreRegions: head.ignoreRegions ?? base.ignoreRegions ?? [],
  };
}

/** A cursor belongs to one comparison with its filters. */
function listOf({ cursor: _cursor, limit: _limit, ...query }: CompareQuery): string {
  const digest = createHash("sha256").update(JSON.stringify(query)).digest("hex");
  return `compare ${digest.slice(0, 16)}`;
}

function countFitting(rows: readonly { bytes: number }[], limit: number): number {
  let sum = 0;
  const tooMany = rows.findIndex(({ bytes }, index) => {
    sum += bytes;
    return index > 0 && sum > MAX_PART_BYTES;
  });
  return tooMany === -1 ? limit : Math.min(limit, tooMany);
}
