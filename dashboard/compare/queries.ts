import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { ComparisonView } from "../../shared/contracts/comparisons/comparisons.ts";
import { api } from "../api/client.ts";
import { requestJson } from "../api/request.ts";
import type { CompareView } from "./compare-view.ts";

/** Two images take a fraction of a second. */
const POLL_MS = 1_000;
const CHOICES = 100;
const STALE_MS = 30_000;

/** The two sides of a comparison. */
export type Sides = Required<Pick<CompareView, "base" | "head">> &
  Pick<CompareView, "baseEnvironment" | "headEnvironment">;

/** Loads a comparison, again and again until all pages are compared. */
export const comparisonQuery = (sides: Sides) =>
  queryOptions({
    queryKey: ["compare", sides],
    queryFn: () => {
      const given = Object.entries(sides).filter(([, value]) => value);
      const search = new URLSearchParams(given.map(([name, value]) => [name, value ?? ""]));
      return requestJson<ComparisonView>(`v1/compare?${search}`);
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
