import { LRUCache } from "lru-cache";
import type { ComparedPair, ComparisonView } from "../../../shared/contracts/comparisons/comparisons.ts";

/** All comparisons of a node that are kept. An explained page has about 2 kB. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A reader requests the next part at once. */
const TTL_MS = 60_000;
/** While pages are compared, a comparison is soon out of date. */
const COMPARING_TTL_MS = 5_000;

/** A comparison with all of its pages. */
export interface WholeComparison extends Omit<ComparisonView, "data" | "nextCursor"> {
  pairs: { pair: ComparedPair; bytes: number }[];
}

/**
 * Comparisons that were computed lately, so that a list with many parts is computed once. All parts are of the same
 * moment then. Another node computes it again.
 */
export class RecentComparisons {
  readonly #kept = new LRUCache<string, WholeComparison>({
    ...{ maxSize: MAX_BYTES, ttl: TTL_MS },
    sizeCalculation: ({ pairs }) => pairs.reduce((sum, { bytes }) => sum + bytes, 1),
  });

  /** @param list names the comparison with its filters */
  find(teamId: string, list: string): WholeComparison | undefined {
    return this.#kept.get(`${teamId} ${list}`);
  }

  keep(teamId: string, list: string, comparison: WholeComparison): void {
    const ttl = comparison.status === "comparing" ? COMPARING_TTL_MS : TTL_MS;
    this.#kept.set(`${teamId} ${list}`, comparison, { ttl });
  }
}
