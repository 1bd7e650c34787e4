import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type ProjectPage } from "../api/client.ts";
import type { BaselinesAt, WithMonitors } from "../place.ts";

/** The team's projects, a hundred at a time. */
export const projectsQuery = ({ monitors }: WithMonitors) =>
  infiniteQueryOptions({
    queryKey: ["projects", monitors],
    initialPageParam: noCursor(),
    queryFn: ({ pageParam }) => api.projects(monitors ? { monitors } : {}, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** A project's baselines in force, a hundred at a time. */
export const baselinesQuery = (at: BaselinesAt & { project: string }) =>
  infiniteQueryOptions({
    queryKey: ["baselines", at],
    initialPageParam: noCursor(),
    queryFn: ({ pageParam }) => api.baselines(at, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // What was found stays until there is something for the next letter; what is of another branch is not shown for this one's.
    placeholderData: (before, query) => (isOfSame(query?.queryKey[1], at) ? before : undefined),
  });

function isOfSame(one: string | BaselinesAt | undefined, other: BaselinesAt): boolean {
  if (typeof one !== "object") return false;
  return one.project === other.project && one.branch === other.branch && one.pr === other.pr;
}

/** Every approval of a page at one width, the latest first. */
export const historyQuery = (page: ProjectPage) =>
  infiniteQueryOptions({
    queryKey: ["history", page],
    initialPageParam: noCursor(),
    queryFn: ({ pageParam }) => api.baselineHistory(page, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** How a page at one width stood in the last runs that had it. */
export const appearancesQuery = (page: ProjectPage, limit: number) =>
  queryOptions({ queryKey: ["appearances", page], queryFn: () => api.screenshotHistory(page, limit) });

function noCursor(): string | null {
  return null;
}
