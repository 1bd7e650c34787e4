import type { NoticeKind } from "../../shared/contracts/teams/notices.ts";
import { describeOtherRenderers } from "../../shared/mixed-renderers.ts";
import { timeInWords } from "../../shared/text/dates.ts";
import { count, figure, listed, percent } from "../../shared/text/format.ts";

/** Every text of alerts, mails, chat messages, and incidents. */

/** What happened, in one line. Arguments are names, routes, and counts. */
export const HEADLINES = {
  test: (monitor: string) => `Test alert: ${monitor}`,
  down: (monitor: string) => `${monitor} is down`,
  pageDown: (monitor: string, route: string) => `${monitor}: ${route} is down`,
  pagesDown: (monitor: string, route: string, more: number) =>
    `${monitor}: ${route} and ${figure(more)} more are down`,
  up: (monitor: string) => `${monitor} is up again`,
  recovered: (monitor: string) => `${monitor} recovered`,
  resolved: (monitor: string) => `${monitor}: incident resolved`,
  changed: (monitor: string) => `${monitor} has visual changes`,
  pageChanged: (monitor: string, page: string, ratio: number) =>
    `${monitor}: ${page} differs by ${percent(ratio)}`,
  pagesChanged: (monitor: string, page: string, ratio: number, more: number) =>
    `${monitor}: ${page} differs by ${percent(ratio)}, and ${figure(more)} more`,
};

/** What it means, in sentences. */
export const EXPLANATIONS = {
  test: "This is a test alert. Nothing is wrong.",
  checked: (at: string) => `Checked on ${timeInWords(at)}.`,
  changed: (pages: number) =>
    `${count(pages, "page")} ${pages === 1 ? "differs" : "differ"} from the approved baseline. A second capture confirmed it.`,
  seenFrom: (regions: readonly string[]) => `Seen from ${listed(regions)}.`,
  because: (cause: string) => `Cause: ${cause}.`,
  alsoChanged: (pages: number) =>
    `Also, ${count(pages, "page")} ${pages === 1 ? "differs" : "differ"} from the approved baseline.`,
  otherRenderers: describeOtherRenderers,
  noResponse: "The site is not responding.",
  twice: "A second attempt also failed.",
  recovered: "The latest check found no problems.",
  resolvedBy: (member: string) =>
    `${member} resolved the incident. If the next check finds the problem, another incident opens.`,
  since: (at: string) => `The incident started on ${timeInWords(at)}.`,
  replaced: "The problem changed. A new alert replaces this one.",
};

export const MESSAGE_TEXTS = {
  page: (page: string, viewport: number) => `${page} at ${viewport} px`,
  pageWithRatio: (page: string, ratio: number) => `${page}: ${percent(ratio)}`,
  openReport: "Open report",
  openIncident: "Open incident",
  snooze: "Snooze alerts",
  more: (left: number) => `${figure(left)} more in the report`,
  moreInMail: (left: number) => `The report shows ${figure(left)} more.`,
  latestScreenshot: (page: string) => `Latest screenshot of ${page}`,
};

export const MAIL_TEXTS = {
  footer: (monitor: string, url: string) =>
    `You get this email because the monitor “${monitor}” for ${url} sends its alerts to this address.`,
  personFooter: "You get this email because you chose emails about your teams' monitors.",
  teamFooter: "You get this email because your team sends the alerts of all its monitors to this address.",
  unsubscribe: "Unsubscribe from this monitor",
  unsubscribeAll: "Unsubscribe from all monitors",
  sentBy: (baseUrl: string) => `Sent by vrs at ${baseUrl}.`,
};

/** Mails to a team's admins about the plan's limits. */
export const USAGE_MAIL = {
  subject: (team: string, allowance: string, share: number) =>
    share >= 100
      ? `${team} reached this month's limit of ${allowance}`
      : `${team} used ${share}% of this month's ${allowance}`,
  used: (used: number, limit: number, allowance: string) =>
    `Your team used ${figure(used)} of ${figure(limit)} ${allowance} this month.`,
  reached: (resetsAt: string) =>
    `New runs are rejected until the limit resets on ${timeInWords(resetsAt)}. To continue now, upgrade the plan.`,
  near: (resetsAt: string) =>
    `When the limit is reached, new runs are rejected until it resets on ${timeInWords(resetsAt)}. To avoid that, upgrade the plan.`,
  footer: "You get this email because you are an admin of the team.",
  button: "Open vrs",
};

export const INCIDENT_TEXTS = {
  down: "page is down",
  changed: "visual change",
  unchecked: "not checked",
  certificate: "certificate expires",
  failing: "HTTP check fails",
};

/** Mails to admins about monitors without alert channels. */
export const CONDITION_TEXTS = {
  footer:
    "You get this email because you are an admin of the team, and these monitors have no alert channels.",
  button: "Open monitors",
};

/** Mails to a member whom an incident was assigned to. */
export const INCIDENT_MAIL = {
  subject: (title: string) => `Assigned to you: ${title}`,
  assigned: (by: string, title: string) => `${by} assigned this incident to you: ${title}.`,
  footer: "You get this email because the incident was assigned to you.",
  button: "Open incident",
};

export const INCIDENT_ERRORS = {
  resolved: "The incident is resolved, so it can't be assigned.",
  full: (max: number) => `The timeline has ${figure(max)} entries. It can't get more.`,
  noMember: "is not the login of a member of the team",
  viewer: "is the login of a viewer. Viewers can't act on incidents",
};

/** Why a message was not sent, or not yet. Teams see it in the list of notifications. */
export const NOTIFICATION_ERRORS = {
  noMailServer: "No mail server is configured. Ask the operator to set SMTP_URL.",
  unsubscribed: "This address unsubscribed from the monitor.",
  monitorDeleted: "The monitor was deleted.",
  unknownFormat: "This version of the service can't send this message.",
  noNotices: "This channel can't send notices.",
  willRetry: "Sending failed. The service will retry.",
  gaveUp: (attempts: number, answer: string) =>
    `Sending failed after ${count(attempts, "attempt")}. ${answer}`,
  badAddress: "This is not a valid email address.",
  addressRefused: "The mail client does not accept this address. Check it.",
  mailLogin: "The mail server rejected the service's username or password. Ask the operator to fix SMTP_URL.",
  mailFailed: (code: string) => `The mail server could not be used (${code}). The service will retry.`,
  hours: (min: number, max: number) => `must be a whole number from ${min} to ${max}`,
};

/** Errors of webhooks, and the reasons in their logs. */
export const WEBHOOK_TEXTS = {
  notAllowed: (why: string) =>
    `is not allowed: ${why}. Ask the operator to allow it with SERVICE_ALLOW_HOSTS`,
  notHttps: "must be an https URL",
  limit: (max: number) => `A team can have ${max} webhooks. Delete one that you no longer need.`,
  paused: "The webhook was paused. Resume it, then replay the delivery.",
  deleted: "The webhook was deleted.",
  tooManyWaiting: (max: number) =>
    `${figure(max)} deliveries were already waiting. Fix the receiver, then replay the delivery.`,
  tooManyByHand: "Too many tests and replays are waiting. Try again later.",
  stillWaiting: "The delivery is still waiting for its next attempt. Replay it when it has ended.",
  resumeFirst: "The webhook is paused. Resume it, then replay the delivery.",
  gaveUp: (attempts: number, answer: string) =>
    `Delivery failed after ${count(attempts, "attempt")}. ${answer}`,
  test: (by: string) => `This is a test. ${by} sent it.`,
};

/** Mails to a team's admins about a webhook that was paused. */
export const PAUSED_MAIL = {
  subject: (team: string) => `A webhook of ${team} was paused`,
  failures: (receiver: string) =>
    `The webhook to ${receiver} was paused. No delivery succeeded for three days.`,
  gone: (receiver: string) =>
    `The webhook to ${receiver} was paused. Its receiver answered 410, which means that it no longer exists.`,
  remedy: "Fix the receiver, then resume the webhook. You can replay the events that it missed.",
  footer: "You get this email because you are an admin of the team.",
  button: "Open webhooks",
};

/** What operators read in the log. */
export const LOG_MESSAGES = {
  noAllowedAddress: (dropReason: string) => `A receiver has no allowed address: ${dropReason}`,
  notPublished: (notification: string) => `The result of ${notification} was not published.`,
  notDeleted: "Old notifications could not be deleted.",
  peopleNotRead: "Members who want alerts could not be read. They get none of this check.",
  digestsNotSent: "Due digests could not be sent. The service will retry.",
  noticeNotSent: "The notice about a paused webhook was not sent. The service will retry.",
  notRead: "Due notifications could not be read. The service will retry.",
  notStored: (notification: string) =>
    `The result of ${notification} was not stored, so it may be sent again.`,
  failed: (notification: string) => `Notification ${notification} failed. The service will retry.`,
};

/** Texts of buttons in chat messages, and of what they lead to. */
export const CHAT_APP_TEXTS = {
  approve: "Approve run",
  reject: "Reject run",
  approved: (login: string) => `${login} approved this run.`,
  rejected: (login: string) => `${login} rejected this run.`,
  reason: (tool: string) => `Rejected in ${tool === "slack" ? "Slack" : "Discord"}`,
  needsOthers: (pending: number) =>
    `You approved this run. ${count(pending, "screenshot")} still ${pending === 1 ? "needs" : "need"} approvals by others.`,
  open: "Open run",
  link: "Link your account",
  failed: "The service couldn't save your decision. Select the button again in a minute.",
  notReviewed: "A decision from a chat tool was not saved.",
  linkFirst: (minutes: number) =>
    `Link your chat account to your account here first. The link works for ${count(minutes, "minute")}. Then select the button again.`,
  noMember: "You aren't a member of this team anymore. Ask an admin of the team.",
  needsReviewer: "Only reviewers and admins can decide runs. Ask an admin of the team for the role.",
  notAnswered: "The chat tool didn't take the result of a click.",
  secretChars: (tool: string, chars: number) =>
    `must have ${chars} hex digits, as ${tool === "slack" ? "the signing secret of a Slack app" : "the public key of a Discord application"} has`,
  weakSecret: (tool: string) =>
    `can be forged by anyone. Copy ${tool === "slack" ? "the signing secret of your Slack app" : "the public key of your Discord application"}`,
  usersOnly: "API keys have no chat accounts. Sign in as a user.",
};

/** The test message of a project's chat channel. */
export const CHAT_TEST_TEXTS = {
  title: "Test message",
  about: (project: string) =>
    `Messages about runs of ${project} appear here. This one is a test, and nothing needs your review.`,
  button: "Open project",
  tooOften: (seconds: number) =>
    `This channel got many test messages. Try again in ${count(seconds, "second")}.`,
};

/** Digests: notices about one run for one person or chat channel. */
export const DIGEST_TEXTS = {
  pull: (project: string, pull: number) => `${project} #${pull}`,
  needsReview: (where: string, open: number) => `Review needed: ${count(open, "screenshot")} in ${where}`,
  approved: (where: string, by: string[]) =>
    by.length === 0 ? `${where} was approved` : `${listed(by)} approved ${where}`,
  rejected: (where: string, by: string[]) =>
    by.length === 0 ? `${where} was rejected` : `${listed(by)} rejected ${where}`,
  mentioned: (by: string, where: string, more: number) =>
    more === 0
      ? `${by} mentioned you in ${where}`
      : `${by} mentioned you in ${where}, and ${count(more, "more comment")}`,
  replied: (by: string, where: string, more: number) =>
    more === 0
      ? `${by} replied in ${where}`
      : `${by} replied in ${where}, and ${count(more, "more comment")}`,
  by: (author: string) => `by ${author}`,
  reason: (reason: string) => `Reason: ${reason}`,
  open: (open: number) =>
    open === 1 ? "1 screenshot needs review." : `${figure(open)} screenshots need review.`,
  comment: (by: string, page: string | null) => (page === null ? `${by} on the run` : `${by} on ${page}`),
  newPage: (page: string) => `${page}: new`,
  isNew: " · new",
  more: (left: number) => `The run shows ${figure(left)} more.`,
  review: "Review screenshots",
  openRun: "Open run",
  openComment: "Open comment",
  openInbox: "Open inbox",
  because: {
    review: "You get this email because you review this run.",
    mention: "You get this email because a comment mentions you.",
    reply: "You get this email because you take part in a thread.",
    decision: "You get this email because the run or its pull request is yours.",
    monitor: "You get this email because you chose emails about your teams' monitors.",
  } satisfies Record<NoticeKind, string>,
  becauseOfProject: (project: string) =>
    `You get this email because ${project} sends its runs that need review to this address.`,
  unsubscribe: "Stop these emails",
  unsubscribeProject: "Unsubscribe from this project",
};

export const PROJECT_EMAIL_ERRORS = {
  ofMonitor:
    "The project of a monitor has no email addresses. Set the monitor's own channels, or the addresses of the project monitors for all monitors.",
};
