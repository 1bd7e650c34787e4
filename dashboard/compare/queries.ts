import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { ComparisonView } from "../../shared/contracts/comparisons/comparisons.ts";
import { api } from "../api/client.ts";
import { queryOf, requestJson } from "../api/request.ts";
import type { CompareView } from "./compare-view.ts";

/** Two images take a fraction of a second. */
const POLL_MS = 1_000;
const CHOICES = 100;
const STALE_MS = 30_000;

/** The two sides of a comparison. */
export type Sides = Required<Pick<CompareView, "base" | "head">> &
  Pick<CompareView, "baseEnvironment" | "headEnvironment">;

const load = (sides: Sides, cursor: string | null) =>
  requestJson<ComparisonView>(`v1/compare${queryOf({ ...sides, cursor })}`);

/** Returns a comparison with the pages of all its parts. The service cuts long lists. */
async function withAllPages(sides: Sides, first: ComparisonView): Promise<ComparisonView> {
  const data = [...first.data];
  let cursor = first.nextCursor;
  while (cursor !== null) {
    const part: ComparisonView = await load(sides, cursor);
    data.push(...part.data);
    cursor = part.nextCursor;
  }
  return { ...first, data, nextCursor: null };
}

/** Loads a comparison, again and again until all pages are compared. */
export const comparisonQuery = (sides: Sides) =>
  queryOptions({
    queryKey: ["compare", sides],
    queryFn: async () => {
      const comparison = await load(sides, null);
      return comparison.status === "completed" ? withAllPages(sides, comparison) : comparison;
    },
    refetchInterval: ({ state }) => (state.data?.status === "comparing" ? POLL_MS : false),
    staleTime: STALE_MS,
    retry: false,
  });

/** Loads what the sides can be: the latest runs, the projects with their branches, and the monitors. */
export const choicesQuery = queryOptions({
  queryKey: ["compare-choices"],
  queryFn: async () => {
    const [runs, projects, monitors] = await Promise.all([
      api.runs({}, CHOICES, null),
      api.projects({}, null),
      api.monitors({}, null),
    ]);
    return { runs: runs.data, projects: projects.data, monitors: monitors.data };
  },
  staleTime: STALE_MS,
  placeholderData: keepPreviousData,
});
