import { timeInWords } from "../../shared/text/dates.ts";
import { count, figure } from "../../shared/text/format.ts";

/** The texts of check runs, comments, and the bootstrap pull request. If a text is Markdown, so are its arguments. */

export const CHECK_TEXTS = {
  name: "Service / Preview",
  buildName: (build: string) => `Service / ${build}`,
  unnamedBuild: "Screenshots",
  approve: "Approve",
  approveAbout: "Make these screenshots the baselines",
  queued: "Queued",
  done: (done: number, all: number) => `${figure(done)} of ${count(all, "screenshot")} done`,
  ended: "The run has ended",
  notStarted: "The run could not be started",
  unreadable: (path: string) => `${path} has errors`,
  readStatically: "No page was captured. The service reads this file without running it.",
  grouped: "Checked in its pull requests",
  groupedAbout:
    "Each pull request of this merge queue was checked separately. There is no deployment that combines them.",
  gone: "The run was deleted",
  goneAbout: "The run was deleted before it ended. Rerun this check.",
  overdue: "The run timed out",
  overdueAbout: "The result of the run did not arrive in time, so nothing was approved. Rerun this check.",
  notAccepted: (why: string) => `The run was not accepted yet: ${why}`,
  openReport: "Open the report",
  followRun: "Follow the run",
  preview: (url: string) => `Preview: ${url}`,
  archive: "Preview: none. The pages are from an uploaded archive.",
  archiveName: "from an uploaded archive",
  warnings: "Warnings:",
  rejectedByHost: "The code host rejected the details of this check.",
  inProgress: "In progress",
  conclusions: {
    success: "Passed",
    action_required: "Needs review",
    neutral: "Done",
    failure: "Failed",
    cancelled: "Canceled",
    timed_out: "Timed out",
  },
};

export const TABLE_TEXTS = {
  columns: {
    page: "Page",
    width: "Width",
    difference: "Difference",
    picture: "Screenshot",
    baseline: "Baseline",
  },
  width: (px: number) => `${px} px`,
  noBaseline: "none",
  unstable: ", unstable",
  pending: (approvals: number, required: number) =>
    ` (${figure(approvals)} of ${figure(required)} approvals)`,
  carried: " (approved earlier)",
  reviewed: (state: string) => ` (${state})`,
  minorChanges: (changes: number) => count(changes, "minor change"),
  unchanged: (screenshots: number) => `${count(screenshots, "screenshot")} without open changes`,
  more: (screenshots: number, report: string) => `${count(screenshots, "more screenshot")} in the ${report}.`,
  report: "report",
};

export const COMMENT_TEXTS = {
  title: (check: string, conclusion: string) => `${check}: ${conclusion}`,
  sections: { review: "Changed", new: "New", removed: "Removed", failed: "Failed" },
  columns: {
    change: "Change",
    changeParts: "Change: baseline, new, difference",
    pages: "Pages",
  },
  foot: (sha: string, preview: string) => `Commit ${sha}${preview === "" ? "" : `, preview ${preview}`}`,
  more: "The report shows more.",
  baselines: (reasons: string) => `Baselines: ${reasons}`,
  reason: (reason: string, screenshots: number) => `${reason} (${count(screenshots, "screenshot")})`,
  otherReasons: (reasons: number) => `${count(reasons, "other reason")} in the report`,
  page: (page: string, viewport: number) => `${page} at ${viewport} px`,
  morePages: (screenshots: number) => `and ${count(screenshots, "more screenshot")}`,
};

/** The comment that shows a thread of a review. Arguments are Markdown. */
export const THREAD_TEXTS = {
  on: (place: string) => `on ${place}`,
  run: "the whole run",
  page: (page: string, viewport: number) => `${page} at ${viewport} px`,
  region: (place: string) => `a region of ${place}`,
  omitted: (replies: number) => `${count(replies, "earlier reply", "earlier replies")} in the dashboard`,
  resolved: (by: string) => `✓ Resolved by ${by}`,
  howToReply: "To reply in this thread, select *Quote reply* and write below the quote.",
  unknownMember: "a member of the repository",
  howToReplyHere: "Replies to this note appear in the thread. Resolving it here resolves the thread.",
};

/** The alternative texts of images. */
export const IMAGE_TEXTS = {
  change: (page: string) => `Changed part of ${page}: baseline, new, and difference`,
  page: (route: string) => `Top of ${route}`,
};

/** The reasons why an approval in a check run did not complete the review. */
export const APPROVAL_NOTES = {
  failed: "The approval failed, because the service did not respond. Select Approve again.",
  notMember: (login: string) =>
    `${login} isn't a member of this team. Ask a team admin to invite ${login} as a reviewer, then sign in once to vrs.`,
  needsReviewer: (login: string, role: string) =>
    `${login} has the role ${role}. Approving requires the role reviewer. Ask a team admin to change it.`,
  otherSignIn:
    "The team only allows sign-in with its identity provider. Open the report, sign in there, and approve in the dashboard.",
  moreNeeded: (login: string, screenshots: number) =>
    `${login} approved. ${count(screenshots, "screenshot needs", "screenshots need")} approval from another reviewer.`,
  inReport: "Approve in the service's dashboard, because this app doesn't know the team's reviewers.",
};

export const CONFIGURATION_ERRORS = {
  noAccess: (why: string) =>
    `The app can't read the repository's configuration: ${why}. Grant it access to the repository's contents.`,
  unavailable:
    "The code host is not responding, so the repository's configuration is unknown. Retry shortly.",
};

export const BOOTSTRAP_TEXTS = {
  title: "Add the configuration for visual checks",
  /** The code host's words for a pull request, and for getting the bootstrap again. */
  terms: {
    actions: { request: "pull request", again: "grant the app access to the repository again" },
    pipelines: { request: "merge request", again: "connect the repository again" },
    none: { request: "pull request", again: "connect the repository again" },
  },
  body: (
    workflow: string,
    branch: string,
    { request, again }: { request: string; again: string },
  ) => `When you merge this ${request}, vrs checks every ${request} with a preview. It captures screenshots of your pages and compares them with approved baselines.

- \`service.config.ts\` lists the pages and viewports. Adjust it here before you merge.
${workflow}

vrs opens this ${request} only once. Close it if you don't want it. To get it again, delete the branch \`${branch}\` and ${again}.
`,
  workflow: (path: string, request: string) =>
    `- \`${path}\` is optional. It also checks every ${request} in your own CI, against baselines in the repository. It does nothing until you run \`vrs check\` and \`vrs approve\` and commit the baselines.`,
  withoutWorkflow: (reason: string, request: string) =>
    `- The optional workflow for your own CI is not included. ${reason} Every ${request} is checked without it.`,
  addWorkflow: (path: string, yaml: string) =>
    ` To check in your own CI too, add \`${path}\`:\n\n\`\`\`yaml\n${yaml}\`\`\``,
  noPermission: "The app has no permission to write workflows.",
  noWorkflow: "It depends on the runners of your instance.",
  noAction: (action: string) =>
    `The action is unknown, because \`SERVICE_ACTION\` is not set and \`${action}\` was not found.`,
  noDependency: "The job needs vrs as a dependency of package.json.",
  hasPipeline: "The repository already has a pipeline.",
  noStart:
    "The workflow must start the application, but package.json has no script `dev`, `start`, `serve`, or `develop`.",
};

/** The reasons why a repository gets no bootstrap pull request. */
export const BOOTSTRAP_SKIPS = {
  noAccess: "The app has no access to the repository",
  empty: "The repository is empty",
  configured: (path: string) => `The repository already has ${path}`,
  archived: "The repository is archived",
  disabled: "The repository is disabled",
  fork: "The repository is a fork",
  proposed: (pull: number | null) => `Pull request #${pull} already proposed the configuration`,
};

/** The responses to events, if the wire contract sets no text. */
export const EVENT_REASONS = {
  notOurs: "The check run belongs to another app",
  noRun: "The check has no run to approve",
  running: "The check is already running",
  rerunBuild: "The screenshots were uploaded. Rerun the CI job that uploads them",
  notChecked: "This commit has no check yet",
  otherPull: "Another pull request already checks this commit",
  checked: "This commit was already checked",
  checking: "This commit is already being checked",
  groupChecked: "The pull requests of a merge queue are checked separately",
  checkGone: "The check was deleted",
  moved: "The pull request has newer commits",
  notResponding: "The code host is not responding. The check follows.",
  refused: (why: string) => `The code host rejected the request: ${why}`,
  retried: (why: string) => `The code host is not responding. The service will retry: ${why}`,
  otherStatus: "The status is from another service",
  noUrl: "The deployment has no URL",
  noCommit: "The deployment names no commit",
  deployment: (state: string) => `The deployment is ${state}`,
  remembered: (state: string) => `The deployment is ${state}. Its preview URL is stored`,
  noPull: "No open pull request has this commit. Its preview URL is stored",
  notJson: "The body is not JSON",
  inProgress: "An identical delivery is still being processed",
  limit: (until: Date) => `The rate limit of the code host is reached until ${timeInWords(until)}.`,
  runUnknown: "The run of this check is not known yet. It will be read later",
  otherRun: "The check has another run",
  tooManyRequests: (request: string) => `Too many requests are queued for the code host: ${request}`,
  otherEnvironment: (environment: string) =>
    `Ignored environment: ${environment} (PREVIEW_ENVIRONMENTS names others)`,
  badPayload: (path: string, why: string | undefined) => `Payload not understood: ${path}: ${why}`,
  ignoredAction: (action: string) => `Ignored action: ${action}`,
  noPullRequest: "The comment is on an issue",
  ofApp: "The comment is of an app",
  noThread: "The comment is in no thread",
  threadRequested: "The thread of this comment is read",
  emptyReply: "The comment has no text of its own",
  newerReply: "A newer state of the reply is known",
  replyDeleted: "The reply was deleted",
  replyWritten: "The reply was written into its thread",
  replyNotWritten: "The thread doesn't accept replies from the pull request",
  closed: "Pull request closed",
  merged: "Pull request merged",
};

/** The errors of the app's creation and of its check. */
export const APP_ERRORS = {
  notResponding: "The code host is not responding. Retry in a minute.",
  unknownState:
    "must be of an app creation that you started in the last hour and haven't completed. Create the app again",
  badCode:
    "The code host rejected the code, because it was used before or is older than an hour. Create a private key and a webhook secret in the app's settings there, or create the app again.",
  empty: "The code host returned no data about the app.",
  away: (why: string) => `The code host is not responding: ${why}`,
  fixVariables:
    "Set CODEHOST_APP_ID and CODEHOST_APP_PRIVATE_KEY to the app's own values, and check CODEHOST_API_URL.",
  rejected: (why: string) => `The code host rejects the app's id or private key. ${why}`,
};

/** The errors of connections. */
export const CONNECTION_ERRORS = {
  gone: "The repository was disconnected. Connect it again.",
  noApp: "No code-host app is configured, so this repository cannot be read.",
  tokenRejected: (host: string) =>
    `${host} rejects the token, because it was revoked, rotated, or has expired. Create an access token there, and set it in this connection.`,
  tokenRejectedThere:
    "The code host rejects the token, because it was revoked, rotated, or has expired. Create an access token there, and set it in the connection.",
  notAllowed: (why: string) => `is not allowed: ${why}. Operators can allow its host in SERVICE_ALLOW_HOSTS`,
  notHttps: "must start with https, because the token is sent there",
  noAnswer: (why: string) => `The code host cannot be reached: ${why}. Check the address, and retry.`,
  rejected: (host: string) => `must be a valid token of this instance. ${host} rejects it`,
  noScope: (scopes: string) => `must have the scope api. It has: ${scopes}`,
  otherScopes: "others",
  noRole: "must have at least the role Developer in the repository",
  noWrite: "must be of a user who can write to the repository, and have the scope write:repository",
  noReadScope: "must have the scopes read:user, write:repository and write:issue",
  noRepository: (host: string) =>
    `must be a repository that the token can read. ${host} finds none with this path. Check the path and the token's rights`,
  longNames: "has a path that is too long. A run holds 100 characters before and after its last slash",
  other: (host: string, why: string) =>
    `must be the address of a ${host} instance. The request failed: ${why}`,
  connected: (repository: string) =>
    `${repository} is already connected. Change that connection, or delete it first.`,
  notRotated: "must be false, because this code host has no request that replaces a token",
  limit: (max: number) => `A team can have ${figure(max)} connections. Delete one that you don't need.`,
  remote:
    "This installation submits its runs to another one. Connect the repository there, where its runs are.",
  unknown: "unknown connection",
  badToken: "invalid token",
  badSignature: "invalid signature",
  otherProject: "The event is of another repository",
};

/** The errors of an instance's responses. */
export const API_ERRORS = {
  otherServer: (url: string, host: string, where: string, why: string | undefined) =>
    `${url} did not answer like ${host}: ${where}: ${why}`,
  answered: (host: string, status: number, said: string) =>
    `${host} answered ${status}${said === "" ? "" : `: ${said}`}`,
  noStatus: "The code host has no status of this commit.",
  manyForks: "Too many pull requests of forks are open to know whether the commit is of one.",
};

/** The names of the code hosts that teams connect. */
export const HOST_NAMES = { gitlab: "GitLab", gitea: "Gitea or Forgejo" };

/** The log messages for operators. */
export const LOG_MESSAGES = {
  hookNotCreated: (connection: string) =>
    `The webhook of ${connection} could not be created. Create it at the code host, or set the token again.`,
  accessNotNoted: (connection: string) => `The state of ${connection} could not be stored.`,
  hookNotDeleted: (connection: string) =>
    `The webhook of ${connection} could not be deleted. Delete it at the code host.`,
  tokenNotRotated: (connection: string) =>
    `The token of ${connection} could not be replaced yet. The service will retry.`,
  tokenLost: (connection: string) =>
    `The new token of ${connection} could not be stored. Set a new token in the connection.`,
  notReported: (run: string) => `${run} could not be reported.`,
  runsNotRead: "The runs of a commit could not be read.",
  leaseNotRenewed: "The lease of a check could not be renewed.",
  delayed: (owner: string, repo: string) => `The check of ${owner}/${repo} is delayed.`,
  detailsRejected: (checkRun: unknown) =>
    `The code host rejects the details of check run ${checkRun}. Only the conclusion is sent.`,
  notCompleted: (owner: string, repo: string) => `The check of ${owner}/${repo} could not be completed.`,
  approvalNotShown: "An approval could not be shown yet.",
  notCanceled: (run: string) => `${run} could not be canceled.`,
  notBootstrapped: "A repository could not be bootstrapped yet. The service will retry.",
  permissionsNotChecked: "The code-host app's permissions could not be checked. The service will retry.",
  permissionsLater: "The code host is not responding. The app's permissions are checked later.",
  permission: (name: string, access: string) => `the permission ${name}: ${access}`,
  event: (name: string) => `the event ${name}`,
  lacks: (what: string, app: string | undefined) =>
    `The code-host app lacks ${what}. Add them in the settings of ${app}, and accept them where it is installed.`,
  notCompletedYet: "A check could not be completed yet. The service will retry.",
  noAccess: (owner: string, repo: string) => `The app has no access to the configuration of ${owner}/${repo}`,
  eventNotHandled: (event: string) => `The event ${event} could not be handled. The service will retry.`,
  requestFailed: (event: string) => `A request to the code host for the event ${event} failed.`,
  noTeam: "The app has no team.",
  callbackNotDelivered: "A callback could not be delivered.",
  wrongKey: "SERVICE_API_KEY is unknown or was revoked.",
  checkNotUpdated: "A check was started, but could not be updated. The service will retry.",
  checkNotCreated: "A check could not be created.",
  sweepFailed: "The recovery sweep failed. The service will retry.",
  completedNotRead: "Completed runs could not be read. The service will retry.",
  rowsNotDeleted: "Expired rows could not be deleted. The service will retry.",
  appNotNotified: (run: string, why: string) => `The code-host app could not be notified of ${run}: ${why}.`,
  commentLeaseNotRenewed: "The lease of a comment could not be renewed.",
  commentRejected: (pull: number) =>
    `The code host rejects the details of the comment on ${pull}. Only the conclusion is sent.`,
  threadsNotMirrored: (owner: string, repo: string, pull: number) =>
    `The threads of pull request ${pull} of ${owner}/${repo} could not be written.`,
  threadsNotRequested: "The threads of open pull requests could not be read. The service will retry.",
  commentNotWritten: (pull: number) => `The comment on ${pull} could not be written.`,
  repositoriesNotListed: "The repositories of an installation could not be listed.",
  notCarried: "Approvals could not be carried over yet. The service will retry.",
};

/** The app's description at the code host, and the purpose of each permission. */
export const APP_TEXTS = {
  pullRequests: "To read pull requests, comment on them, and open the bootstrap pull request",
  checks: "To create and update check runs",
  contents: "To read the configuration and create the bootstrap branch",
  metadata: "Required of every app",
  statuses: "To read the statuses of the deployment platform",
  deployments: "To read the deployments of other platforms",
  mergeQueues: "To check merge queues. The event *Merge group* requires it",
  issues:
    "To write replies on pull requests into the threads of reviews. The event *Issue comment* requires it",
  emailAddresses: "To match invitations by email address when users sign in",
  workflows:
    "To add the workflow to the bootstrap pull request. Without it, the pull request describes how to add it",
  description: "Checks pull requests for visual changes.",
};
