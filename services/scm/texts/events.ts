import { timeInWords } from "../../../shared/text/dates.ts";

/** Responses to events, and texts of the bootstrap pull request and of configurations. */

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
    github: { request: "pull request", again: "grant the app access to the repository again" },
    gitlab: { request: "merge request", again: "connect the repository again" },
    bitbucket: { request: "pull request", again: "connect the repository again" },
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
  rerunSite:
    "The run captured an archive, a local application or a Storybook. Rerun the CI job that submits it",
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
  continued: "The event takes longer. It is still being processed, and needs no other delivery",
  inProgress: "An identical delivery is still being processed",
  limit: (until: Date) => `The rate limit of the code host is reached until ${timeInWords(until)}.`,
  runUnknown: "The run of this check is not known yet. It will be read later",
  otherRun: "The check has another run",
  approvedEarlier: "The approval is for an earlier run of the check. Review the current one",
  tooManyRequests: (request: string) => `Too many requests are queued for the code host: ${request}`,
  otherEnvironment: (environment: string) =>
    `Ignored environment: ${environment} (PREVIEW_ENVIRONMENTS names others)`,
  badPayload: (path: string, why: string | undefined) => `Payload not understood: ${path}: ${why}`,
  ignoredAction: (action: string) => `Ignored action: ${action}`,
  commitOfFork: "The commit is in a fork, which the token can't read",
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
