import type { ScreenshotKey } from "../shared/contracts/capture/screenshot-key.ts";
import { type CompareView, compareValues, compareView } from "./compare/compare-view.ts";
import { PROJECT_SECTIONS, type ProjectSection } from "./configuration/sections.ts";
import {
  type BaselineFilters,
  baselineFilters,
  countIn,
  filterValues,
  INCIDENT_FILTERS,
  type InboxFilters,
  type IncidentFilter,
  inboxFilters,
  type MonitorFilters,
  QUEUE_ORDERS,
  type QueueOrder,
  type RunFilters,
  runFilters,
  type ScreenshotFilterQuery,
  screenshotFilters,
  searchOf,
} from "./location-filters.ts";
import { type Moment, momentIn, momentValues } from "./monitors/looks/moment.ts";

const SETTINGS = [
  "account",
  "team",
  "sign-in",
  "keys",
  "notifications",
  "repositories",
  "webhooks",
  "usage",
  "transfer",
  "nodes",
  "code-host",
] as const;
export type Setting = (typeof SETTINGS)[number];

const CHECKOUTS = ["done", "canceled"] as const;
/** Outcome of the checkout at the payment provider. */
export type Checkout = (typeof CHECKOUTS)[number];

/** Parameters that the code host returns with an operator who created the app. */
export interface AppCreation {
  code: string;
  state: string;
}

/** What the review shows. */
interface ReviewView {
  /** Id of the open screenshot. */
  shot?: string;
  mode?: string;
  order?: QueueOrder;
  /** Id of a thread to open. Only in links. */
  comment?: string;
  /** Zoom and center of the view, such as `1.5,120,340`. Only in links. */
  at?: string;
}

/** A page of the dashboard with its parameters, parsed from a URL. */
export type AppLocation =
  | ({ page: "inbox" } & InboxFilters)
  | { page: "runs"; filters: RunFilters; isStarting?: true }
  | ({ page: "run"; id: string } & ScreenshotFilterQuery)
  | ({ page: "baselines" } & BaselineFilters)
  | ({ page: "history"; project: string; entry?: string } & ScreenshotKey)
  | { page: "noise"; project: string }
  | { page: "overview"; project: string }
  | { page: "configuration"; project: string; section?: ProjectSection }
  | ({ page: "review"; id: string } & ReviewView & ScreenshotFilterQuery)
  | ({ page: "monitors" } & MonitorFilters)
  | { page: "status-pages" }
  | { page: "new-monitor" }
  | { page: "incidents"; filter: IncidentFilter }
  | { page: "incident"; id: string }
  | { page: "maintenance" }
  | { page: "monitor"; id: string; isEdited: boolean; moment?: Moment }
  | ({ page: "compare" } & CompareView)
  | { page: "settings"; setting: Setting; created?: AppCreation }
  | { page: "settings-start" }
  | { page: "billing"; checkout: Checkout | null }
  | { page: "sign-in"; next: string; team?: string }
  | { page: "unknown" };

/** Parses an address relative to the service, such as `runs/run_1?find=cart`. */
export function parseAddress(address: string): AppLocation {
  const [rest = "", hash = ""] = address.replace(/^\//, "").split("#", 2);
  const [path = "", search = ""] = rest.split("?", 2);
  return parseLocation(path, search, hash);
}

/**
 * Parses a URL. @param path relative to the service, such as `runs/run_1` @param search such as `?shot=scr_1`
 * @param hash such as `#branches`
 */
export function parseLocation(path: string, search: string, hash = ""): AppLocation {
  const [page = "", part = "", ...more] = path.split("/").map(decoded);
  const query = new URLSearchParams(search);
  if (more.length > 0) return { page: "unknown" };
  if (page === "inbox" && part === "") return { page, ...inboxFilters(query) };
  if (page === "runs")
    return part === ""
      ? { page, filters: runFilters(query), ...(query.has("start") && { isStarting: true }) }
      : { page: "run", id: part, ...screenshotFilters(query) };
  if (page === "review" && part !== "") {
    const [shot, mode] = [query.get("shot"), query.get("mode")];
    const order = QUEUE_ORDERS.find(name => name === query.get("order"));
    const [comment, at] = [query.get("comment"), query.get("at")];
    const view = {
      ...(shot && { shot }),
      ...(mode && { mode }),
      ...(order && { order }),
      ...(comment && { comment }),
      ...(at && { at }),
    };
    return { page, id: part, ...view, ...screenshotFilters(query) };
  }
  if (page === "baselines" && (part === "noise" || part === "configuration" || part === "overview"))
    return projectPage(part, query, hash);
  if (page === "baselines") return part === "" ? { page, ...baselineFilters(query) } : historyAt(part, query);
  if (page === "monitors") return monitorLocation(part, query);
  if (page === "status-pages" && part === "") return { page };
  if (page === "maintenance" && part === "") return { page };
  if (page === "incidents")
    return part === ""
      ? { page, filter: INCIDENT_FILTERS.find(name => name === query.get("state")) ?? "unresolved" }
      : { page: "incident", id: part };
  if (page === "compare" && part === "") return { page, ...compareView(query) };
  if (page === "settings" && part === "") return { page: "settings-start" };
  const setting = SETTINGS.find(name => name === part);
  if (page === "settings" && setting) return { page, setting, ...createdAt(setting, query) };
  if (page === "billing" && part === "")
    return { page, checkout: CHECKOUTS.find(name => name === query.get("checkout")) ?? null };
  if (page === "sign-in" && part === "") {
    const team = query.get("team");
    return { page, next: query.get("next") ?? "", ...(team !== null && { team }) };
  }
  return { page: "unknown" };
}

/** Returns the URL of a page, relative to the service. */
export function urlOf(location: AppLocation): string {
  switch (location.page) {
    case "inbox":
      return `inbox${searchOf({ filter: location.filter, project: location.project })}`;
    case "runs":
      return `runs${searchOf({ ...location.filters, start: location.isStarting ? "1" : undefined })}`;
    case "run":
      return `runs/${encodeURIComponent(location.id)}${searchOf(filterValues(location))}`;
    case "baselines": {
      const { project, branch, pr, find, monitors } = location;
      return `baselines${searchOf({ project, branch, pr: pr?.toString(), find, monitors })}`;
    }
    case "history": {
      const { project, route, state, environment, viewport, entry } = location;
      const variant = { state: state ?? undefined, environment: environment ?? undefined };
      return `baselines/history${searchOf({ project, route, ...variant, viewport: String(viewport), entry })}`;
    }
    case "noise":
    case "overview":
      return `baselines/${location.page}${searchOf({ project: location.project })}`;
    case "configuration": {
      const anchor = location.section ? `#${location.section}` : "";
      return `baselines/configuration${searchOf({ project: location.project })}${anchor}`;
    }
    case "review": {
      const { id, shot, mode, order, comment, at } = location;
      return `review/${encodeURIComponent(id)}${searchOf({ shot, mode, order, comment, at, ...filterValues(location) })}`;
    }
    case "monitors":
      return `monitors${searchOf({ find: location.find, tag: location.tag })}`;
    case "status-pages":
      return "status-pages";
    case "new-monitor":
      return "monitors/new";
    case "monitor":
      return `monitors/${encodeURIComponent(location.id)}${location.isEdited ? "?edit" : searchOf(momentValues(location.moment))}`;
    case "incidents":
      return `incidents${searchOf({ state: location.filter === "unresolved" ? undefined : location.filter })}`;
    case "maintenance":
      return "maintenance";
    case "incident":
      return `incidents/${encodeURIComponent(location.id)}`;
    case "compare":
      return `compare${searchOf(compareValues(location))}`;
    case "settings":
      return `settings/${location.setting}${searchOf({ code: location.created?.code, state: location.created?.state })}`;
    case "settings-start":
      return "settings";
    case "billing":
      return `billing${searchOf({ checkout: location.checkout ?? undefined })}`;
    case "sign-in":
      return `sign-in${searchOf({ next: location.next || undefined, team: location.team })}`;
    case "unknown":
      return "runs";
  }
}

/** Returns the page to open after sign-in, always one of the dashboard. */
export function locationAfterSignIn(next: string): AppLocation {
  const location = parseAddress(next);
  return location.page === "unknown" || location.page === "sign-in"
    ? { page: "runs", filters: {} }
    : location;
}

function projectPage(
  page: "noise" | "configuration" | "overview",
  query: URLSearchParams,
  hash: string,
): AppLocation {
  const project = query.get("project");
  if (!project) return { page: "baselines" };
  if (page !== "configuration") return { page, project };
  const section = PROJECT_SECTIONS.find(name => name === hash.replace(/^#/, ""));
  return { page, project, ...(section && { section }) };
}

function historyAt(part: string, query: URLSearchParams): AppLocation {
  const [project, route, entry] = [query.get("project"), query.get("route"), query.get("entry")];
  const viewport = countIn(query, "viewport");
  if (part !== "history" || !project || !route || !viewport) return { page: "unknown" };
  const variant = { state: query.get("state") || null, environment: query.get("environment") || null };
  return { page: "history", project, route, ...variant, viewport, ...(entry && { entry }) };
}

function createdAt(setting: Setting, query: URLSearchParams): { created?: AppCreation } {
  const [code, state] = [query.get("code"), query.get("state")];
  return setting === "code-host" && code && state ? { created: { code, state } } : {};
}

function monitorLocation(part: string, query: URLSearchParams): AppLocation {
  if (part === "") {
    const [find, tag] = [query.get("find"), query.get("tag")];
    return { page: "monitors", ...(find && { find }), ...(tag && { tag }) };
  }
  if (part === "new") return { page: "new-monitor" };
  const moment = momentIn(query);
  return { page: "monitor", id: part, isEdited: query.has("edit"), ...(moment && { moment }) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
