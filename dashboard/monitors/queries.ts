import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { PeriodDays } from "../../shared/contracts/monitors/availability.ts";
import { api } from "../api/client.ts";
import { unlessLive } from "../api/live.ts";
import type { MonitorFilters } from "../location-filters.ts";

const BUSY_MS = 2_000;
const IDLE_MS = 5_000;
/** A chart of days changes slowly, and a new check reloads it. */
const CHART_MS = 60_000;
const ALERTS_MS = 15_000;

function firstPage(): string | null {
  return null;
}

/** Loads the team's monitors, or those with a tag or a part of the name or URL. */
export const monitorsQuery = (filters: MonitorFilters) =>
  infiniteQueryOptions({
    queryKey: ["monitors", filters],
    placeholderData: keepPreviousData,
    initialPageParam: firstPage(),
    queryFn: ({ pageParam }) => api.monitors(filters, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval({ state }) {
      const pages = state.data?.pages ?? [];
      const isBusy = pages.some(({ data }) => data.some(monitor => monitor.currentCheck !== null));
      return unlessLive((isBusy ? BUSY_MS : IDLE_MS) * Math.max(1, pages.length));
    },
  });

/** Loads all of the team's monitors, for forms that choose some. Not cached: a form must offer new ones too. */
export const allMonitorsQuery = queryOptions({
  queryKey: ["all-monitors"],
  queryFn: api.allMonitors,
  gcTime: 0,
});

export const monitorQuery = (id: string) =>
  queryOptions({
    queryKey: ["monitor", id],
    queryFn: () => api.monitor(id),
    refetchInterval: ({ state }) => unlessLive(state.data?.currentCheck ? BUSY_MS : IDLE_MS),
  });

/** Loads the differences of a period. @param last the latest check: a newer one reloads the chart */
export const driftQuery = (id: string, days: number, last: string | null) =>
  queryOptions({
    queryKey: ["drift", id, days, last],
    queryFn: () => api.drift(id, days),
    refetchInterval: CHART_MS,
    placeholderData: keepPreviousData,
  });

/** Loads uptime and response times. @param last the latest check: a newer one reloads them */
export const uptimeQuery = (id: string, days: PeriodDays, last: string | null) =>
  queryOptions({
    queryKey: ["uptime", id, days, last],
    queryFn: () => api.uptime(id, days),
    refetchInterval: CHART_MS,
    placeholderData: keepPreviousData,
  });

/** Loads the latest results of the HTTP check. @param last time of the latest: a newer one reloads them */
export const httpChecksQuery = (id: string, last: string | null) =>
  queryOptions({
    queryKey: ["http-checks", id, last],
    queryFn: () => api.httpChecks(id),
    placeholderData: keepPreviousData,
  });

export const alertsQuery = (id: string, days: number) =>
  queryOptions({
    queryKey: ["alerts", id, days],
    queryFn: () => api.alerts(id, days),
    refetchInterval: () => unlessLive(ALERTS_MS),
    placeholderData: keepPreviousData,
  });

export const checksQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["checks", id],
    initialPageParam: firstPage(),
    queryFn: ({ pageParam }) => api.checks(id, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
