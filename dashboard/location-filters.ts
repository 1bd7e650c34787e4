import { INBOX_FILTERS, type InboxFilter } from "../shared/contracts/reviews/inbox.ts";
import type { ListRunsQuery } from "../shared/contracts/runs/runs.ts";
import { DISPLAY_STATUSES, type DisplayStatus } from "../shared/report/display-status.ts";

/** Orders of the review's queue: by identical change, by size of change, or grouped by route or component. */
export const QUEUE_ORDERS = ["change", "size", "route", "component"] as const;
export type QueueOrder = (typeof QUEUE_ORDERS)[number];

/** `1` to include runs of monitors in a list. */
export type WithMonitors = { monitors?: "1" };

/** Filters of the list of runs. */
export type RunFilters = WithMonitors & {
  [K in "status" | "conclusion" | "project" | "branch" | "needsReview"]?: NonNullable<ListRunsQuery[K]>;
};

/** Filters of the list of monitors. */
export interface MonitorFilters {
  /** Part of the name or the URL. */
  find?: string;
  tag?: string;
}

/** Filters of the list of incidents. */
export const INCIDENT_FILTERS = ["unresolved", "resolved", "all"] as const;
export type IncidentFilter = (typeof INCIDENT_FILTERS)[number];

/** Selected baselines; without a project, the list of projects. */
export interface BaselineFilters extends WithMonitors {
  project?: string;
  /** Without branch and pull request: the project's default branch. */
  branch?: string;
  pr?: number;
  /** Part of the route. */
  find?: string;
}

/** Selected screenshots of a run. */
export interface ScreenshotFilterQuery {
  /** Part of the route, the state or the environment. */
  find?: string;
  standing?: DisplayStatus;
  /** Name of the environment; `default` is the one without settings. */
  environment?: string;
  /** Width, px. */
  viewport?: number;
}

/** Filters of the inbox. */
export interface InboxFilters {
  filter?: InboxFilter;
  project?: string;
}

const STATUSES: readonly ListRunsQuery["status"][] = [
  "queued",
  "rendering",
  "comparing",
  "completed",
  "failed",
  "canceled",
];
const CONCLUSIONS: readonly ListRunsQuery["conclusion"][] = [
  "passed",
  "changed",
  "new",
  "approved",
  "rejected",
];

/** Parses the filters of the inbox. */
export function inboxFilters(query: URLSearchParams): InboxFilters {
  const filter = INBOX_FILTERS.find(name => name === query.get("filter"));
  const project = query.get("project");
  return { ...(filter && { filter }), ...(project && { project }) };
}

/** Parses the selection of screenshots of a run. */
export function screenshotFilters(query: URLSearchParams): ScreenshotFilterQuery {
  const find = query.get("find");
  const standing = DISPLAY_STATUSES.find(name => name === query.get("standing"));
  const environment = query.get("environment");
  const viewport = countIn(query, "viewport");
  return {
    ...(find && { find }),
    ...(standing && { standing }),
    ...(environment && { environment }),
    ...(viewport && { viewport }),
  };
}

/** Returns the parameters of a selection of screenshots. */
export function filterValues({ find, standing, environment, viewport }: ScreenshotFilterQuery) {
  return { find, standing, environment, viewport: viewport?.toString() };
}

/** Parses the selection of baselines. */
export function baselineFilters(query: URLSearchParams): BaselineFilters {
  const [project, branch, find] = [query.get("project"), query.get("branch"), query.get("find")];
  const pr = countIn(query, "pr");
  return {
    ...(project && { project }),
    ...(pr ? { pr } : branch && { branch }),
    ...(find && { find }),
    ...withMonitors(query),
  };
}

/** Parses the filters of the list of runs. */
export function runFilters(query: URLSearchParams): RunFilters {
  const status = STATUSES.find(name => name === query.get("status"));
  const conclusion = CONCLUSIONS.find(name => name === query.get("conclusion"));
  const [project, branch] = [query.get("project"), query.get("branch")];
  return {
    ...(status && { status }),
    ...(conclusion && { conclusion }),
    ...(project && { project }),
    ...(branch && { branch }),
    ...(query.get("needsReview") === "1" && { needsReview: "1" }),
    ...withMonitors(query),
  };
}

/** Returns a whole number from 1, or null. */
export function countIn(query: URLSearchParams, name: string): number | null {
  const value = Number(query.get(name));
  return Number.isSafeInteger(value) && value > 0 ? value : null;
}

function withMonitors(query: URLSearchParams): WithMonitors {
  return query.get("monitors") === "1" ? { monitors: "1" } : {};
}

/** Returns the search of a URL with the parameters that have a value. */
export function searchOf(values: Record<string, string | undefined>): string {
  const present = Object.entries(values).filter(entry => entry[1] !== undefined);
  const query = new URLSearchParams(present.map(([name, value = ""]) => [name, value]));
  return present.length === 0 ? "" : `?${query}`;
}
