import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { incidentsApi } from "../api/incidents.ts";
import { unlessLive } from "../api/live.ts";
import type { IncidentFilter } from "../location-filters.ts";

const POLL_MS = 5_000;

function firstPage(): string | null {
  return null;
}

/** Loads incidents of all monitors, or of one. */
export const incidentsQuery = (filter: IncidentFilter, monitor?: string) =>
  infiniteQueryOptions({
    queryKey: ["incidents", monitor ?? null, filter],
    initialPageParam: firstPage(),
    queryFn: ({ pageParam }) =>
      incidentsApi.list({ filter, ...(monitor !== undefined && { monitor }) }, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) => unlessLive(POLL_MS * Math.max(1, state.data?.pages.length ?? 1)),
  });

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: ["incident", id],
    queryFn: () => incidentsApi.get(id),
    refetchInterval: () => unlessLive(POLL_MS),
  });
