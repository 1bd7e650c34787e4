import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import type { ProjectPage } from "../api/projects.ts";
import type { BaselineFilters, WithMonitors } from "../location-filters.ts";

/** Loads the team's projects, a hundred at a time. */
export const projectsQuery = ({ monitors }: WithMonitors) =>
  infiniteQueryOptions({
    queryKey: ["projects", monitors],
    initialPageParam: noCursor(),
    queryFn: ({ pageParam }) => api.projects(monitors ? { monitors } : {}, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** Loads a project's current baselines, a hundred at a time. */
export const baselinesQuery = (at: BaselineFilters & { project: string }) =>
  infiniteQueryOptions({
    queryKey: ["baselines", at],
    initialPageParam: noCursor(),
    queryFn: ({ pageParam }) => api.baselines(at, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Previous results stay until the new ones load, unless they are of another branch.
    placeholderData: (before, query) => (isOfSame(query?.queryKey[1], at) ? before : undefined),
  });

function isOfSame(one: string | BaselineFilters | undefined, other: BaselineFilters): boolean {
  if (typeof one !== "object") return false;
  return one.project === other.project && one.branch === other.branch && one.pr === other.pr;
}

/** Loads every approval of a page at one width, the latest first. */
export const historyQuery = (page: ProjectPage) =>
  infiniteQueryOptions({
    queryKey: ["history", page],
    initialPageParam: noCursor(),
    queryFn: ({ pageParam }) => api.baselineHistory(page, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** Loads the states of a page at one width in recent runs. */
export const appearancesQuery = (page: ProjectPage, limit: number) =>
  queryOptions({ queryKey: ["appearances", page], queryFn: () => api.screenshotHistory(page, limit) });

function noCursor(): string | null {
  return null;
}
