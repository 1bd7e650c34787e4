import { describeOtherRenderers } from "../../shared/mixed-renderers.ts";
import { timeInWords } from "../../shared/text/dates.ts";
import { count, figure, listed } from "../../shared/text/format.ts";

/** Every text of monitors and their checks that users read. */

/** The most routes in a reason. */
const MAX_NAMED_ROUTES = 3;

/** Reasons for a failed check or a site that counts as down. */
export const CHECK_REASONS = {
  page: (page: string, viewport: number) => `${page} at ${viewport} px`,
  unconfirmed: "A change was found once, but not confirmed.",
  notRendered: "The page could not be rendered.",
  notResponding: "The site is not responding.",
  rejected: (pages: readonly string[], more: number) =>
    `A reviewer rejected the first screenshot of ${pages.join(", ")}${more > 0 ? `, and ${figure(more)} more` : ""}, so there is no baseline. Change the page, approve the screenshot, or dismiss the rejection.`,
  more: (reasons: string, more: number) => `${reasons} And ${figure(more)} more.`,
  runDeleted: "The run of this check was deleted before it ended.",
  runCanceled: "The run of this check was canceled.",
  otherRegions: (routes: readonly string[], failing: readonly string[], passing: readonly string[]) =>
    `${listed(routes.slice(0, MAX_NAMED_ROUTES))} can't be loaded from ${listed(failing)}, but from ${listed(passing)}. Too few regions agree.`,
  from: (regions: readonly string[], reason: string) => `From ${listed(regions)}: ${reason}`,
  wasRetry: "It was already a retry.",
  timeout: (minutes: number) => `The check did not end within ${count(minutes, "minute")}.`,
};

/** Warnings of a check. */
export const CHECK_WARNINGS = {
  otherRenderers: describeOtherRenderers,
};

/** Why a monitor is not scheduled, and what to do. */
export const HOLD_REASONS = {
  over: (plan: string, monitors: number | null) =>
    `The ${plan} plan allows ${monitors === null ? "fewer monitors" : count(monitors, "monitor")}, and your team has more. Newer monitors are on hold. Delete monitors or upgrade the plan.`,
  plan: (plan: string) =>
    `The ${plan} plan has no scheduled checks. Run checks manually, or upgrade to the business plan.`,
  paused: "The monitor is paused. Resume it to schedule checks.",
};

export const MONITOR_ERRORS = {
  checkRunning: (id: string, other: string | null) =>
    `${other ?? "Another check"} of ${id} is still running. Wait until it ends.`,
  testedTooOften: (seconds: number) =>
    `The alert channels of this monitor were tested too often. Retry in ${count(seconds, "second")}.`,
  limitReached: (used: number, plan: string, limit: number | null) =>
    `Your team has ${count(used, "monitor")}, and the ${plan} plan allows ${figure(limit ?? 0)}. Delete a monitor or upgrade the plan.`,
  credentialsOfOtherSite: {
    headers:
      "contains headers for the previous site. Send them again with the new url, or remove them with null",
    sessions:
      "contains passwords, typed texts or cookies for the previous site. Send the sessions again with the new url, or remove them with null",
  },
  adminsSetChannels: (name: string, role: string) =>
    `Only team admins can configure alert channels, and ${name} has the role ${role}. Omit alerts, or ask an admin.`,
  required: "is required",
  channelUrl: (why: string) =>
    `is not allowed: ${why}. Ask the operator to allow it with SERVICE_ALLOW_HOSTS`,
  channelHttps: "must be an https URL",
  siteUrl: (why: string) => `can't be rendered: ${why}. Ask the operator of this service to allow the host`,
};

export const MAINTENANCE_ERRORS = {
  past: "must be in the future",
  noMonitor: "is not a monitor of the team",
  otherBody: (id: string) => `was already used with another body, for ${id}. Send a new key for a new window`,
  full: (max: number) =>
    `Your team has ${count(max, "maintenance window")}. End one that you no longer need.`,
};

/** Messages about certificates. */
export const CERTIFICATE_TEXTS = {
  title: (monitor: string, days: number | null) => {
    if (days === null) return `${monitor}: certificate renewed`;
    return days < 0
      ? `${monitor}: certificate expired`
      : `${monitor}: certificate expires in ${days === 0 ? "less than a day" : count(days, "day")}`;
  },
  expires: ({ host, issuer, expiresAt }: { host: string; issuer: string; expiresAt: string }) =>
    `The TLS certificate of ${host}${issuer === "" ? "" : `, issued by ${issuer},`} is valid until ${timeInWords(expiresAt)}. Renew it, or check why its automatic renewal failed.`,
  renewed: ({ host, expiresAt }: { host: string; expiresAt: string }) =>
    `${host} has a new TLS certificate. It is valid until ${timeInWords(expiresAt)}.`,
  moved: {
    title: (monitor: string) => `${monitor}: certificate no longer checked`,
    text: (host: string) =>
      `The monitor checks another URL now, so the certificate of ${host} is no longer watched.`,
  },
  notRead: "The certificate could not be read. The site may be unreachable.",
};

/** What an HTTP check finds wrong with a page. */
export const HTTP_PROBLEMS = {
  noResponse: "The page did not respond.",
  status: (status: number) => `The page responded with status ${status}.`,
  noText: (text: string) => `The page doesn't contain “${text}”.`,
  slow: (ms: number, limit: number) =>
    `The page took ${figure(Math.round(ms))} ms to respond. The limit is ${figure(limit)} ms.`,
};

/** Messages about HTTP checks. */
export const HTTP_TEXTS = {
  failing: {
    title: (monitor: string) => `${monitor}: HTTP check fails`,
    text: (found: readonly { region: string | null; route: string; problem: string }[]) =>
      found
        .map(({ region, route, problem }) => `${region === null ? "" : `${region}: `}${route}: ${problem}`)
        .join(" "),
  },
  passing: {
    title: (monitor: string) => `${monitor}: HTTP check passes`,
    text: "All pages respond as expected again.",
  },
  off: {
    title: (monitor: string) => `${monitor}: HTTP check turned off`,
    text: "A member turned the HTTP check off, so its problem is no longer watched.",
  },
};

/** The most names in a message. */
const MAX_NAMES = 10;

function namesOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return more > 0 ? `${names.slice(0, MAX_NAMES).join(", ")}, and ${figure(more)} more` : listed(names);
}

/** Messages about monitors without results. */
export const HEARTBEAT_TEXTS = {
  unchecked: {
    title: (names: readonly string[]) =>
      names.length === 1
        ? `${names[0]} was not checked`
        : `${figure(names.length)} monitors were not checked`,
    text: (names: readonly string[]) =>
      `No check of ${namesOf(names)} has had a result for at least three intervals. Ask the operator whether renderers are running, and whether the plan's limit is reached. Until then, problems of these sites go unnoticed.`,
  },
  checked: {
    title: (names: readonly string[]) =>
      names.length === 1
        ? `${names[0]} is checked again`
        : `${figure(names.length)} monitors are checked again`,
    text: (names: readonly string[]) => `Checks of ${namesOf(names)} have results again.`,
  },
  ended: {
    title: (names: readonly string[]) =>
      names.length === 1
        ? `No check of ${names[0]} is due`
        : `No checks of ${figure(names.length)} monitors are due`,
    text: (names: readonly string[]) =>
      `No checks of ${namesOf(names)} are due, because of a pause, maintenance or the plan. They had no results before that.`,
  },
};

export const STATUS_PAGE_ERRORS = {
  noMonitor: "is not a monitor of the team",
  slugTaken: "is taken. Choose another one",
  full: (max: number) => `Your team has ${count(max, "status page")}. Delete one that you no longer need.`,
};

/** What operators read in the log. */
export const LOG_MESSAGES = {
  notReported: (check: string) => `${check} could not be reported.`,
  incidentNotClosed: (monitor: string) =>
    `The incident of ${monitor} could not be closed. Close it manually.`,
  notDeletedYet: (monitor: string) => `${monitor} could not be deleted yet.`,
  dueNotStarted: "Due monitors could not be started.",
  confirmationsNotSubmitted: "Confirmation runs could not be submitted.",
  checksNotReported: "Completed checks could not be reported.",
  sweepFailed: "The recovery sweep of checks failed.",
  certificateNotChecked: (monitor: string) => `The certificate of ${monitor} could not be checked.`,
  httpNotChecked: (monitor: string) => `The HTTP check of ${monitor} failed. The service will retry.`,
  httpChecksNotRun: "HTTP checks could not be run.",
  httpChecksNotEnded: "Alerts of HTTP checks that were turned off could not be ended.",
  certificatesNotChecked: "Certificates could not be checked.",
  uncheckedNotReported: (team: string) =>
    `Unchecked monitors of ${team} could not be reported. The service will retry.`,
  uncheckedNotFound: "Unchecked monitors could not be found.",
  maintenanceNotAdvanced: "Maintenance windows could not be advanced.",
  notMeasured: "Overdue monitors could not be counted.",
  cleanupFailed: "The cleanup of teams failed.",
  oldChecksNotDeleted: "Old checks could not be deleted.",
  monitorsNotRemoved: "Deleted monitors could not be removed.",
  alertsNotRead: "The state of alerts could not be read.",
  approvalNotPublished: (run: string, monitor: string) =>
    `The approval of ${run} could not be published. ${monitor} is checked.`,
  runNotSubmitted: (check: string) => `The run of ${check} could not be submitted.`,
  checksOfNotReported: (monitor: string) =>
    `The checks of ${monitor} could not be reported. The service will retry.`,
  notAdvanced: (check: string) => `${check} could not be advanced. The service will retry.`,
  planNotRead: (team: string) => `The plan of ${team} could not be read. The service will retry.`,
  checksOfNotDeleted: (team: string) => `Old checks of ${team} could not be deleted. The service will retry.`,
};
