import type { ComponentState } from "../../../shared/contracts/monitors/status-pages.ts";

/** Pages that the gateway serves, without the dashboard. */

/** Pages that end a sign-in. Texts are HTML. */
export const SIGN_IN_PAGE = {
  title: "Sign-in failed",
  again: '<a href="login">Sign in again</a>',
  notConfigured:
    "Signing in with the code host is not configured. Sign in with an API key. Operators: set <code>CODEHOST_CLIENT_ID</code> and <code>CODEHOST_CLIENT_SECRET</code>.",
  denied: "You declined access to your profile at the code host, so the sign-in was canceled.",
  state:
    "This sign-in was started in another browser, was used before, or took longer than 10 minutes. Start again.",
  code: "The code host rejected this sign-in. Start again. Operators: if it fails again, check <code>CODEHOST_CLIENT_ID</code> and <code>CODEHOST_CLIENT_SECRET</code>.",
  unreachable: "The code host is not responding. Try again in a few minutes.",
  notInvited:
    "You aren't a member of any team and have no invitation. Ask a team admin to invite your username.",
  providerRequired:
    "Your team only allows sign-in with its identity provider. Sign in with the provider instead. If the provider fails, operators can sign in with the bootstrap key.",
  withProvider: (url: string) => `<a href="${url}">Sign in with the identity provider</a>`,
};

/** Pages that end a sign-in with an identity provider. Texts are HTML. */
export const PROVIDER_SIGN_IN_PAGE = {
  again: (url: string) => `<a href="${url}">Sign in again</a>`,
  notConfigured:
    "There is no identity provider at this address. Check the link, or sign in another way. Operators: set <code>SERVICE_OIDC_ISSUER</code>.",
  unreachable:
    "The identity provider is not responding. Try again in a few minutes. Admins can find the reason in the team's activity.",
  denied:
    "The identity provider refused the sign-in. Ask its administrators whether you may use this application.",
  client:
    "The identity provider refused this service. Admins can find the reason in the team's activity. They should check the client id, the client secret and the redirect URI.",
  token:
    "The answer of the identity provider is not valid, so you aren't signed in. Start again. If it fails again, admins can find the reason in the team's activity.",
  notInvited:
    "No team lets you in. Ask a team admin to invite your email address, or to give one of your groups a role.",
  noSeat: "Your team has no free seat. Ask a team admin to remove members or to upgrade the plan.",
  deactivated: "Your account was deactivated. Ask the administrators of your identity provider.",
  noLogoutToken: "The form has no logout_token.",
};

/** Pages of an installation on the deployment platform. Texts are HTML. */
export const INSTALL_PAGE = {
  title: "Installation failed",
  again: '<a href="install">Install again</a>',
  installedTitle: "Installed",
  installed:
    "Every preview deployment of the projects that you selected now starts a run. You can close this page.",
  notConfigured:
    "The integration is not configured. Operators: set <code>PLATFORM_CLIENT_ID</code>, <code>PLATFORM_CLIENT_SECRET</code>, <code>PLATFORM_AUTHORIZE_URL</code>, <code>PLATFORM_TOKEN_URL</code>, and <code>PLATFORM_API_URL</code>.",
  denied: "You declined the integration at the platform, so nothing was installed.",
  state:
    "This installation was started in another browser, was used before, or took longer than 30 minutes. Start again.",
  code: "The platform rejected this installation. Start again. Operators: if it fails again, see the log, and check <code>PLATFORM_CLIENT_ID</code> and <code>PLATFORM_CLIENT_SECRET</code>.",
  unreachable: "The platform is not responding. Try again in a few minutes.",
};

const uptimeText = (uptime: number | null): string =>
  uptime === null ? "No checks" : `${Math.floor(uptime * 10_000) / 100}%`;

/** Texts of status pages and badges. */
export const STATUS_PAGES = {
  title: "Status page",
  states: {
    operational: "Operational",
    outage: "Outage",
    maintenance: "Maintenance",
    unknown: "Not checked",
  } satisfies Record<ComponentState, string>,
  overall: {
    operational: "All systems are operational",
    outage: "Some systems are down",
    maintenance: "Maintenance is in progress",
    unknown: "Not all systems were checked recently",
  } satisfies Record<ComponentState, string>,
  day: (date: string, uptime: number | null) => `${date}: ${uptimeText(uptime)}`,
  chart: (uptime: number | null) => `Uptime of the last 90 days: ${uptimeText(uptime)}`,
  uptime: (uptime: number | null) => (uptime === null ? "No checks yet" : `${uptimeText(uptime)} uptime`),
  from: "90 days ago",
  to: "Today",
  outages: "Outages of the last 14 days",
  noOutages: "No outages.",
  ongoing: "Ongoing",
  lasted: (time: string) => `Lasted ${time}`,
  began: (time: string) => `Began on ${time}`,
  updated: (time: string) => `Updated on ${time}. Reload the page for the current state.`,
  isProtected: "This status page is protected. Enter its password.",
  password: "Password",
  open: "Open status page",
  wrongPassword: "The password is wrong.",
  tooManyAttempts: "Too many attempts. Wait a few seconds, and try again.",
  tooManyReads: "Your network sent too many requests. Wait a few seconds, and reload the page.",
  missingTitle: "No status page",
  missing: "There is no status page at this address. Check the address, or ask for a new one.",
  badgeLabel: "uptime",
  badge: (state: ComponentState, uptime: number | null) => {
    if (state === "operational" && uptime !== null) return uptimeText(uptime);
    return { operational: "up", outage: "down", maintenance: "maintenance", unknown: "unknown" }[state];
  },
};

/** Pages that link a person of a chat tool. Names are escaped already. */
export const CHAT_PAGES = {
  title: "Link a chat account",
  ask: (person: string, tool: string, login: string, team: string) =>
    `The ${tool === "slack" ? "Slack" : "Discord"} account <b>${person}</b> wants to review runs of ${team} as you, <b>${login}</b>.`,
  warning: "Continue only if this account is yours, and if you have just selected a button in the chat.",
  button: "Link this account",
  doneTitle: "Account linked",
  done: "Go back to the chat, and select the button again.",
  deadLink: "It has expired or is incomplete. Select the button in the chat again.",
  signIn: (url: string) => `<a href="${url}/">Sign in</a> first, then open this link again.`,
  noMember: "You aren't a member of the team that the message is about. Ask an admin of the team.",
};

/** Pages that open from an alert's links. */
export const ALERT_PAGES = {
  presets: { hour: "1 hour", shift: "8 hours", day: "1 day", days: "3 days", week: "7 days" },
  snoozeTitle: "Snooze alerts",
  snooze:
    "Choose how long to snooze the alerts of this monitor. Its checks continue. If a new problem is still there when the snooze ends, the alert is sent then.",
  snoozedTitle: "Alerts snoozed",
  snoozedUntil: (time: string) => `This monitor sends no alerts until ${time}.`,
  unsubscribeTitle: "Unsubscribe",
  unsubscribe: "Do you want to stop this monitor's emails to this address? Other receivers still get alerts.",
  unsubscribeButton: "Unsubscribe from this monitor",
  unsubscribedTitle: "Unsubscribed",
  unsubscribed: "This address gets no more emails from this monitor.",
  deadLinkTitle: "This link doesn't work",
  deadLink:
    "The link is incomplete, has expired, or its monitor was deleted. Use the link in a newer message, or sign in.",
};

/** Pages that unsubscribe an address from a project. */
export const PROJECT_PAGES = {
  ask: "Do you want to stop the emails that this project sends to this address? Other receivers still get them.",
  button: "Unsubscribe from this project",
  done: "This address gets no more emails of this project.",
  deadLink: "The link is incomplete. Use the link in a newer email.",
};

/** Pages that stop the emails to a person. */
export const NOTICE_PAGES = {
  title: "Stop these emails",
  ask: "Do you want to stop emails about the following?",
  kinds: {
    review: "Runs that need your review",
    mention: "Comments that mention you, and replies in your threads",
    reply: "Replies in your threads, and comments that mention you",
    decision: "Decisions on your runs",
    monitor: "Monitors that are down",
  },
  button: "Stop these emails",
  doneTitle: "Emails stopped",
  done: "You get no more emails of this kind. You can change this on the page of your account.",
  deadLink: "The link is incomplete. Sign in, and change your notifications on the page of your account.",
};

/** The page that creates the code-host app. Arguments are HTML. */
export const NEW_APP_PAGE = {
  title: "Create the code-host app",
  expiredTitle: "This link has expired",
  expired: "The link works once, within an hour.",
  again: "Create the app again",
  what: (name: string) =>
    `The code host registers the app <strong>${name}</strong> with all permissions and events that it needs. You can rename it there. Only the account that owns the app can install it.`,
  webhook: (url: string) =>
    `The code host sends events to <code>${url}</code>. Make sure that it can reach this address.`,
  next: "The code host then redirects you to the dashboard, which shows the settings for this service once.",
  create: "Create app",
};

export const DASHBOARD_PAGE = {
  notBuiltTitle: "The dashboard is not built",
  notBuilt:
    'Operators: start the service with <code>npm start</code>, which builds the dashboard. Or run <code>node cli/build-dashboard.mjs</code> and restart. The API works without it: see the <a href="docs">documentation</a>.',
};
