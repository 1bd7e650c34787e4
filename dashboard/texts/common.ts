import { pageName, type ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { Role, RunView } from "../../shared/contracts/runs/runs.ts";
import type { DisplayStatus } from "../../shared/report/display-status.ts";
import { number, plural } from "./format.ts";

/** Shared texts. `{name}` stands for an element that the page inserts. */
export const commonTexts = {
  cancel: "Cancel",
  close: "Close",
  done: "Done",
  undo: "Undo",
  tryAgain: "Try again",
  copy: "Copy",
  copied: "Copied to clipboard.",
  copyFailed: "Your browser blocked access to the clipboard. Select the text and copy it.",
  clearFilters: "Clear filters",
  findRoute: "Find a route",

  documentTitle: (title: string) => (title === "" ? "vrs" : `${title} · vrs`),
  loading: (what: string) => `Loading ${what}…`,
  loadingMore: "Loading…",
  failedToLoad: (what: string) => `Failed to load ${what}.`,
  failedToLoadMore: "Failed to load the rest of the list.",
  notSaved: (why: string) => `The change was not saved. ${why}`,
  outdatedList: "This list may be out of date because the service isn't responding.",
  outdatedPage: "This page may be out of date because the service isn't responding.",
  unreachable:
    "Can't reach the service. Your saved changes are safe. This page retries automatically, so check your connection.",
  noAnswer: "Can't reach the service. Check your connection and try again.",
  unknownAnswer: (status: string) => `The service answered ${status}. Try again later.`,
  pageFailed: "Failed to display this page.",
  pageFailedWhy: "The service may have been updated since you opened the page. Reload it to continue.",
  reloadPage: "Reload page",

  noTime: "0 s",

  width: "Viewport width",
  px: (width: number) => `${width} px`,
  faint: (pixels: number) => `${number(pixels)} faint`,
  pageAt: (page: ScreenshotKey) => `${pageName(page)} at ${page.viewport} px`,
  environment: "Environment",
  pullRequest: (pr: number) => `#${pr}`,
  includeMonitors: "Include monitors",
  noScreenshots: "No screenshots",
} as const;

/** Names of loaded data, as in “Failed to load runs.” */
export const loadedThings = {
  session: "your session",
  page: "the page",
  run: "the run",
  runs: "runs",
  screenshots: "screenshots",
  history: "the history",
  projects: "projects",
  baselines: "baselines",
  noise: "the noise of this project",
  configuration: "the configuration",
  secrets: "secrets",
  ignoreRules: "ignore rules",
  monitor: "the monitor",
  monitors: "monitors",
  checks: "checks",
  chart: "the chart",
  notifications: "notifications",
  sessions: "sessions",
  signIn: "the sign-in settings",
  activity: "the activity",
  members: "members",
  invitations: "invitations",
  keys: "API keys",
  connections: "repositories",
  webhooks: "webhooks",
  deliveries: "deliveries",
  usage: "usage",
  subscription: "the subscription",
  nodes: "nodes",
  codeHostApp: "the app",
  appFromCodeHost: "the app from the code host",
} as const;

/** Returns `3 changed` or `2 minor changes`. */
export function statusCount(status: DisplayStatus, n: number): string {
  if (status === "minor") return plural(n, "minor change");
  if (status === "carried") return plural(n, "carried approval");
  return `${number(n)} ${status}`;
}

export const runStatusNames: Record<RunView["status"], string> = {
  queued: "Queued",
  rendering: "Rendering",
  comparing: "Comparing",
  completed: "Completed",
  failed: "Failed",
  canceled: "Canceled",
};

export const conclusionNames: Record<NonNullable<RunView["conclusion"]>, string> = {
  passed: "Passed",
  changed: "Needs review",
  new: "New",
  approved: "Approved",
  rejected: "Rejected",
};

export const roleNames: Record<Role, string> = { viewer: "Viewer", reviewer: "Reviewer", admin: "Admin" };
