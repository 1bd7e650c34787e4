import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { unlessLive } from "../api/live.ts";
import { peopleApi } from "../api/people.ts";
import type { InboxFilters } from "../location-filters.ts";

/** Items per page of the list. */
const ITEMS = 20;
const POLL_MS = 30_000;

const noCursor = (): string | null => null;

export const inboxQuery = (filters: InboxFilters) =>
  infiniteQueryOptions({
    queryKey: ["inbox", filters],
    initialPageParam: noCursor(),
    queryFn: ({ pageParam }) => peopleApi.inbox(filters, ITEMS, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: () => unlessLive(POLL_MS),
  });

/** Counts what waits for the reader, for the navigation. */
export const inboxCountQuery = queryOptions({
  queryKey: ["inbox", "count"],
  queryFn: async () => (await peopleApi.inbox({}, 1, null)).counts,
  refetchInterval: () => unlessLive(POLL_MS),
});
