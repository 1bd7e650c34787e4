import type { ComponentState } from "../../shared/contracts/monitors/status-pages.ts";
import { timeInWords } from "../../shared/text/dates.ts";
import { count, figure } from "../../shared/text/format.ts";

/** Every text of the gateway that its users read, except the descriptions in its tables of routes. */

export const ACCESS_ERRORS = {
  missingKey: "No API key was sent. Send the header Authorization: Bearer <API key>, or sign in.",
  wrongKey: "This API key is unknown, expired or revoked. A team admin can create one on the API keys page.",
  sessionOver: "This session has expired. Sign in again.",
  keyInUrl: (parameter: string) =>
    `The parameter ${parameter} looks like an API key. URLs end up in logs, so revoke the key. Don't put API keys in URLs: send the header Authorization: Bearer <API key>.`,
  foreignSite:
    "This request comes from another site, so the session doesn't count. Send the header Origin with the URL of this service, or use an API key.",
  operatorsOnly: "This page covers all teams. Only admins of the default team can see it.",
  noSuchTeam: (id: string) => `You aren't a member of the team ${id}. Check the id.`,
  noTeam: "You aren't a member of any team. Ask a team admin to invite you.",
  deletedTeam: (id: string, deletesAt: string) =>
    `This team was deleted and will be erased on ${timeInWords(deletesAt)}. To restore it, send POST /v1/teams/${id}/restore.`,
  keyNeedsRole: (least: string, name: string, role: string) =>
    `This requires an API key with the role ${least}. "${name}" has the role ${role}.`,
  onlyProvisions: "This API key can only provision users by SCIM. Use another API key.",
  needsScimKey:
    "Only API keys with the scope scim can provision users. A team admin can create one on the sign-in page.",
  onlyUploads: (project: string) =>
    `This API key can only upload builds to the project ${project}, and get their results. Use another API key.`,
  userNeedsRole: (least: string, name: string, role: string, team: string) =>
    `This requires the role ${least}. ${name} has the role ${role} in ${team}. Ask a team admin to change it.`,
  /** The sign-in page knows the button. */
  otherSignIn: (team: string) =>
    `The team ${team} only allows sign-in with its identity provider. Sign in again, with the provider.`,
  privateLinks: "Only members can open this team's links. Sign in first.",
  deadImageLink: "This image link has expired or was revoked. Fetch the screenshot again for a new link.",
  foreignSiteLink: "This link to a story is invalid. Copy it from the screenshot again.",
  deadSiteLink:
    "This link to a story has expired, was revoked, or its run was deleted. Open the screenshot again.",
  foreignImageLink:
    "The signature of this image link is invalid. Copy the whole link from the screenshot's metadata.",
};

export const DEPRECATION_TEXTS = {
  field: "deprecated",
  operation: (sunset: string, use: string) => `Deprecated. It will be removed after ${sunset}. Use ${use}.`,
};

export const FLEET_FAILURES = {
  noRenderer:
    "No renderer is connected. Runs wait until one starts. Start one with SERVICES=renderer npm start.",
};

export const REQUEST_ERRORS = {
  notJson: "The body has the wrong media type. Send JSON with the header Content-Type: application/json.",
  tooLarge: "The body is larger than 1 MiB. Send less.",
  malformed: "The body is not valid JSON.",
  notUtf8: "The body is not valid UTF-8. Encode it as UTF-8.",
  charset: "The body's charset is not supported. Encode it as UTF-8.",
  encoding: (encoding: string | undefined) =>
    `The Content-Encoding ${encoding} is not supported. Use gzip, deflate, br, or zstd, or none.`,
  cutShort: "The connection closed before the end of the body. Send the request again.",
  corrupt: (encoding: string) => `The body is not valid ${encoding}, although its Content-Encoding says so.`,
  body: "The body",
  more: (others: number) => ` See errors for ${count(others, "more invalid field")}.`,
  unknownField: "is not a known field",
  tooManyFields: (most: number) => `must have at most ${figure(most)} fields`,
  notStorable: "must not contain NUL or unpaired surrogates",
  tunnelId: "must be 32 random bytes in base64url",
  noWebSocket:
    "This path opens a tunnel. Send the request as a WebSocket, as `vrs run --render remote` does.",
  idempotencyKey: "must be 1 to 200 printable ASCII characters without spaces",
  badPath: "The path contains a character that no id has. Check the id.",
  noSuchPath: (path: string) => `There is no route ${path}. See /docs for all routes.`,
  servedElsewhere: (path: string) =>
    `This node does not serve ${path}, because it runs only an integration. Send the request to the service at its SERVICE_API_URL.`,
  noSuchMethod: (path: string, method: string | undefined, allow: string) =>
    `${path} does not support ${method}. Use ${allow}.`,
};

/** Why an uploaded image is refused. */
/** Why an uploaded archive is refused. */
export const ARCHIVE_UPLOAD_ERRORS = {
  tooLarge: (mebibytes: number) => `The archive has more than ${mebibytes} MiB.`,
  cutShort: "The archive is incomplete, because the connection was interrupted.",
};

/** What is wrong with the file of an import, mostly after "The body". */
export const IMPORT_ERRORS = {
  noRows: (id: string) => `Rows of ${id} are missing from the store. Export the team again.`,
  noManifest: "is not the file of an export. Send the tar that the export's link downloads",
  manifest: (field: string) => `has a manifest with an invalid \`${field}\`. Export the team again`,
  entry: (name: string) => `has an entry "${name}" that no export has. Send the unchanged file`,
  large: (name: string) => `has an entry "${name}" that is too large. Send the unchanged file`,
  otherPart: (name: string) => `has other rows in "${name}" than its manifest lists. Send the unchanged file`,
  otherHash: (name: string) => `has other bytes in "${name}" than its name says. Send the unchanged file`,
  image: (name: string, why: string) => `has an image "${name}" that can't be used: ${why}`,
  damaged: (why: string) => `is not a complete tar: ${why}. Download the file again`,
  cutShort: "is incomplete. Download the file again, then send it",
};

export const UPLOAD_ERRORS = {
  otherHash: "has another SHA-256 than the URL. Send the unchanged bytes of the file",
  unreadable: (why: string) => `can't be used: ${why}. Upload a complete PNG, JPEG or WebP file`,
  tooLarge: (most: number) => `The image is too large. At most ${most / 1024 / 1024} MiB can be uploaded.`,
  attachmentTooLarge: (most: number) =>
    `The attachment is too large. At most ${most / 1024 / 1024} MiB can be uploaded. Link larger files with \`url\`.`,
  unknownKind: "is neither a zip file nor text in UTF-8. Link other files with `url`",
};

export const LIMIT_ERRORS = {
  thisKey: "This API key",
  thisAddress: "This IP address",
  requests: (client: string, perMinute: number, seconds: number) =>
    `${client} can send ${figure(perMinute)} requests per minute. Retry in ${seconds} seconds.`,
  wrongKeys: (perMinute: number, seconds: number) =>
    `This IP address sent more than ${figure(perMinute)} requests with invalid credentials in a minute. Valid credentials still work. Check your API key and retry in ${seconds} seconds.`,
  tunnels: (most: number) =>
    `A team can have at most ${most} open tunnels. Wait until another \`vrs run --render remote\` has ended.`,
  allTunnels: "This node has too many open tunnels. Retry in a minute.",
  runStreams: (most: number) =>
    `An API key or user can open at most ${most} progress streams. Close one and retry.`,
  teamStreams: (ofActor: number, ofTeam: number) =>
    `An API key or user can open at most ${ofActor} event streams, and a team at most ${ofTeam}. Close one and retry.`,
  sameReport: "This report is being downloaded too often at the same time. Retry when one download is done.",
  otherReports: "Too many reports are being downloaded. Retry in a few seconds.",
  imports: "Too many imports are being uploaded. Retry in a moment.",
  archives: "Too many archives are being uploaded. Retry in a moment.",
  uploads: "Too many files are being uploaded. Retry in a moment.",
  teamUploads: "Your team is uploading too many files at the same time. Retry in a moment.",
  thumbnails: "Too many thumbnails are being created. Retry in a moment.",
};

export const UNAVAILABLE_ERRORS = {
  part: "Part of the service did not respond. No data was lost. Retry shortly.",
  imageStore: "The image store did not respond. No data was lost. Retry shortly.",
  internal:
    "The request failed because of an internal error. Retry it. If it fails again, send the requestId to the operator.",
  noImageStore: "The image store is not available",
};

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

/** Pages that open from an alert's links. */
const uptimeText = (uptime: number | null): string =>
  uptime === null ? "No checks" : `${Math.floor(uptime * 10_000) / 100}%`;

/** Texts of status pages and badges. */
export const STATUS_PAGES = {
  title: "Status page",
  states: {
    operational: "Operational",
    outage: "Outage",
    maintenance: "Maintenance",
    unknown: "Not checked yet",
  } satisfies Record<ComponentState, string>,
  overall: {
    operational: "All systems are operational",
    outage: "Some systems are down",
    maintenance: "Maintenance is in progress",
    unknown: "Not all systems have been checked yet",
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

export const DOCS_TITLE = "vrs API";

export const REPORT_NOTES = {
  imageOmitted: (name: string) =>
    `This file doesn't include the ${name} image, because it would be too large. See the online report.`,
};

export const OPERATOR_MESSAGES = {
  imageTooLarge: (hash: string, bytes: number) =>
    `The image ${hash} has ${figure(bytes)} bytes, which is too many for a thumbnail.`,
  portInUse: (port: number) =>
    `Port ${port} is in use by another program. Stop it, or set PORT to another port.`,
  tunnelFailed: "A tunnel could not be opened.",
  noRateLimits: (node: string) => `${node} did not respond. This gateway counts its rate limits meanwhile.`,
};

/** Headers of requests to webhooks, in the OpenAPI document. */
export const WEBHOOK_HEADERS = {
  "webhook-id": "Id of the event. Retries and replays have the same id",
  "webhook-timestamp": "Time of the attempt, in seconds since 1970",
  "webhook-signature": "Signatures of the id, the timestamp and the body, by Standard Webhooks",
};

export const WEBHOOK_RECEIVED = "Received. Any other answer is retried for three days";
