import { PROOF_BOUNDS } from "../../shared/contracts/runs/proof.ts";
import { describeOtherRenderers } from "../../shared/mixed-renderers.ts";
import { count, figure, listed } from "../../shared/text/format.ts";

/** All texts of runs, baselines, and reviews for users. */

/** Why a baseline was chosen. Reports and check runs show it after "Compared with" or beside "Baseline". */
export const BASELINE_REASONS = {
  atMergeBase: (scope: string, sha: string) => `approved on ${scope}, as of the merge base ${sha}`,
  latest: (scope: string) => `latest approved on ${scope}`,
  latestAfterMergeBase: (scope: string, sha: string) =>
    `latest approved on ${scope}, because it has none as of the merge base ${sha}`,
  latestUnknownMergeBase: (scope: string) =>
    `latest approved on ${scope}, because the state at the merge base is unknown`,
  latestInstead: (scope: string, base: string) => `latest approved on ${scope}, because ${base} has none`,
  samePixels: (scope: string) => `identical screenshot approved on ${scope}`,
  pullRequest: (pr: string) => `pull request #${pr}`,
  nullRerun: "the same page in the original run",
};

export const RUN_ERRORS = {
  nothingRendered: "No page could be rendered. Each screenshot shows the reason.",
  alreadyEnded: (id: string, status: string) =>
    `${id} is already ${status}. Only unfinished runs can be canceled.`,
  url: (why: string) => `can't be rendered: ${why}. Ask the operator of this service to allow the host`,
  idempotencyKey: (runId: string) =>
    `was already used with another body, for ${runId}. Send a new key for a new run`,
  monitorProject: "can't be set for monitors. Null reruns are for projects with runs",
  lostNodes: (times: number) =>
    `The node that rendered this page stopped ${count(times, "time")}. The page may need more memory than a node has.`,
  noRegion: (region: string) =>
    `No renderer of the region ${region} is connected. Ask the operator to start one with SERVICE_REGION=${region}, or remove the region from the monitor.`,
  lostStorybook: (times: number) =>
    `The node that listed the stories stopped ${count(times, "time")}. The Storybook may need more memory than a node has.`,
  unknownStories:
    "A renderer of another version listed the stories. Update all nodes of the service, then start the run again.",
  privateLinks: "Only members can open this team's links. Sign in first.",
  deadLink:
    "This link has expired, was revoked, or is invalid. Sign in, or ask a member of the team for a new link.",
};

/** Notes for reviewers on a run of a Storybook. */
export const STORY_TEXTS = {
  skipped: (reasons: readonly string[]) => `Skipped ${listed(reasons)}.`,
  disabled: (stories: number) => `${count(stories, "story", "stories")} (disabled by parameters)`,
  excluded: (stories: number) => `${count(stories, "story", "stories")} (excluded by tags)`,
  moduleFailed: (message: string) =>
    `A module of stories failed to load, so its stories have no parameters: ${message}`,
  unchanged: (skipped: number, total: number, isBySources: boolean) =>
    `Skipped ${figure(skipped)} of ${count(total, "screenshot")} of stories. ${isBySources ? "Their sources, or the files that they load," : "The files that they load"} are the same as for their baselines, which they keep.`,
  audited: (screenshots: number) =>
    `${count(screenshots, "other")} like them ${screenshots === 1 ? "was" : "were"} captured as an audit.`,
  noRecord:
    "Skipped no story: nothing is known yet about the files behind the baselines. This run records them.",
  noneUnchanged: "Skipped no story: the files or settings behind all stories have changed.",
  unknownFiles:
    "Skipped no story: the renderer could not read the files of the archive or measure its browser. Update all nodes of the service.",
  missed: (screenshots: readonly string[]) =>
    `The audit found changes in stories whose files are the same as for their baselines: ${listed(screenshots)}. Other skipped stories may have changed, too. Start a run without \`onlyChanged\`. The next run with it captures all stories.`,
};

/** Why a request about an archive is refused. */
export const ARCHIVE_ERRORS = {
  otherProject: (project: string) =>
    `This API key can't upload archives to the project ${project}. Use the project that the key was created for.`,
  onlyArchives: "This API key can only submit runs of archives. Use a key of the team.",
  noSecrets:
    "This API key can't submit runs that use secrets. Use a key of the team, or remove the secrets from the options.",
  noRoom: (bytes: number) =>
    `The archives of your team have reached ${figure(Math.round(bytes / 1024 ** 3))} GiB. Archives are deleted a day after the last run that needs them is deleted.`,
  unknown: (project: string) =>
    `is not an archive of the project ${project}. Upload it first with POST /v1/archives`,
};

/** Why a request about a build is refused, or the build failed. */
export const BUILD_ERRORS = {
  closed: (id: string, status: string) =>
    `${id} is ${status} and accepts no more screenshots. Create another build, with another nonce if it is parallel.`,
  otherProject: (project: string) =>
    `This API key can't upload builds to the project ${project}. Use the project that the key was created for.`,
  otherRepository:
    "This API key can't upload builds of commits in another repository. Use a key for that repository's project.",
  otherCommit: (id: string) =>
    `The build with this nonce, ${id}, is of another commit. Use a nonce that each build has alone.`,
  shardIsRequired: "is required, because the build is parallel",
  duplicate: "has the name, environment and viewport of an earlier one, but other bytes",
  contested: (name: string) =>
    `contains ${name}, which another shard listed with other bytes. Give it another name or environment`,
  tooMany: (count: number, most: number) =>
    `make ${figure(count)} screenshots with the earlier ones. A build has at most ${figure(most)}`,
  missing: (images: number, first: string) =>
    `${count(images, "image")} of the build must be uploaded first, such as ${first}. Get the build for their upload URLs.`,
  unusable: (hash: string, why: string) =>
    `The uploaded image ${hash} can't be used: ${why}. Upload a complete PNG, JPEG or WebP file.`,
  otherHash: "it has another SHA-256",
  tooLarge: (most: number) => `it has more than ${most / 1024 / 1024} MiB`,
  empty: (id: string) => `${id} has no screenshots. List some before you finalize it.`,
  abandoned: (minutes: number, finalized: number, total: number | null) =>
    `Nothing was uploaded for ${count(minutes, "minute")}, and ${total === null ? "the build was not finalized" : `only ${finalized} of ${count(total, "shard")} were finalized`}. Check the CI jobs that upload, and start them again.`,
};

export const ATTACHMENT_ERRORS = {
  noRoom: (bytes: number) =>
    `The team's archives and attachments together have ${figure(Math.floor(bytes / 1024 ** 3))} GiB, which is the limit. Attachments are deleted with their runs. Ask the operator to raise ARCHIVE_TEAM_GIB.`,
};

/** Notes for reviewers. */
export const RUN_WARNINGS = {
  noRenderer: "No renderer is connected. The run waits until one starts.",
  recaptured:
    "The renderers that started this run stopped. Renderers with another browser build or other fonts captured all its pages again.",
  otherRenderers: describeOtherRenderers,
  otherBrowser: (baseline: string, browser: string) =>
    `The baseline was captured by ${baseline}, this screenshot by ${browser}. Differences may come from that.`,
  otherRenderer:
    "The baseline was captured by another browser build or with other fonts. Differences may come from that.",
  test: (place: string) => `Test: ${place}`,
  retried: (times: number) =>
    `The test was retried ${count(times, "time")}. This is the screenshot of its last attempt.`,
  unstable: (screenshots: number) =>
    `The last ${count(screenshots, "screenshot")} of this page all differ. Mask or hide elements that change on every load.`,
  configurationUnavailable:
    "The repository's configuration at this commit couldn't be read, because the code host isn't responding.",
  withoutConfiguration:
    "This run doesn't use the repository's configuration. It captures the submitted routes, or / alone, with default settings. Other pages aren't reported as removed.",
};

export const CONFIGURATION_ERRORS = {
  whole: "The repository's configuration",
  invalid: (first: string) =>
    `The repository's configuration at this commit has errors. ${first} Fix it, or set viewports, threshold, baselineBranch or options in the body.`,
  timeout: "The configuration was not read in time.",
};

export const REVIEW_ERRORS = {
  nullRerun: (runId: string) => `${runId} is a null rerun, which can't be reviewed.`,
  trial: (runId: string) => `${runId} is a trial, which can't be reviewed.`,
  notCompleted: (runId: string, status: string) =>
    `${runId} is ${status}. Only completed runs can be reviewed.`,
  notInRun: "is not a screenshot of this run",
  onlyMinor: "No screenshot needs review. To reject minor changes, list their ids in screenshots.",
  nothingChanged: "No screenshot changed, so there is nothing to reject.",
  tooManyReviews: (screenshotId: string, most: number) =>
    `${screenshotId} has the maximum of ${count(most, "review")}. Submit a new run to review it again.`,
  ownRun: (others: readonly string[]) =>
    `You submitted this run, and your team doesn't allow you to approve your own runs. Ask ${new Intl.ListFormat("en-US", { type: "disjunction" }).format([...others, others.length > 0 ? "any other reviewer or admin" : "a reviewer or admin of the team"])}. You can still reject it.`,
  nothingOwn: "You have no review to dismiss here. Only admins can dismiss the reviews of others.",
  nothingToDismiss: "These screenshots have no review to dismiss.",
  rejectedBaseline:
    "A reviewer rejected the screenshot of this baseline. Dismiss that review first, or approve the page in its run.",
  regionLimit: (ofPage: number, ofProject: number) =>
    `The limit of ${figure(ofPage)} ignore regions per page and ${figure(ofProject)} per project is reached. Remove some, or mask the elements in the configuration.`,
  expiredRule: "must be in the future",
  noThreshold: "can't be set for an ignore region",
  thresholdOfProject:
    "can't be project for a raised threshold. Set the threshold of all pages in the configuration",
  sameRule: "Another rule already ignores this region there. Remove one of them.",
  dismissedRegionLimit: (ofPage: number, ofProject: number) =>
    `The limit of ${figure(ofPage)} dismissed regions per page and ${figure(ofProject)} per project is reached. Dismissed regions expire after 90 days.`,
};

/** Why a run can't be repeated. */
export const RERUN_ERRORS = {
  kind: "Null reruns and trials can't be repeated. Repeat the original run.",
  uploaded: "Uploaded screenshots can't be captured again. Run your tests again.",
  tunnel: "The run captured a local application, which is gone. Start it again with vrs check or vrs upload.",
  unfinished: "The run hasn't ended. Wait for it, or cancel it first.",
  expired: "The options of a run are kept for 7 days after its end. Submit a new run.",
  noArchive: "The site that the run captured was deleted. Upload it again, and submit a new run.",
  storybook: "Stories are listed at submission. Submit a new run of the Storybook.",
  nothing: "The run has no such screenshot.",
};

/** Texts of ignore rules in the activity log and in exported configurations. */
export const RULE_TEXTS = {
  region: ({ x, y, width, height }: Record<"x" | "y" | "width" | "height", number>) =>
    `${width} × ${height} px at ${x}, ${y}`,
  threshold: (threshold: number) => `${figure(Math.round(threshold * 10_000) / 100)}%`,
  scopes: { page: "this width", widths: "all widths", project: "all pages" },
  configurationOf: (project: string) => `Ignore rules of ${project}`,
  madeBy: (name: string, day: string) => `by ${name} on ${day}`,
  until: (day: string) => `until ${day}`,
  notRoute:
    "It is of a story or an uploaded screenshot. Set ignoreRegions or threshold in the story's parameters or in the test.",
  ofState: (state: string) =>
    `It applies only to the state ${state}. A configuration sets the regions of a route in all its states.`,
  oneWidth:
    "It raises the threshold at one width. A configuration sets the threshold of a route at all widths.",
};

export const SECRET_ERRORS = {
  longProject: (most: number) => `must have at most ${figure(most)} characters`,
  limit: (project: string, most: number) =>
    `${project} has ${count(most, "secret")}, which is the maximum. Delete one first.`,
  unknown: (name: string, project: string, path: string) =>
    `refers to the secret ${name}, which the project ${project} doesn't have. An admin can add it with PUT ${path}`,
  certificateFile: (session: string) =>
    `has a certPath or keyPath in the session ${session}, which only the command line reads. Use cert and key with references to secrets`,
  storageState: (session: string) =>
    `has a storageState in the session ${session}, which only the command line reads. Use steps or cookies`,
  /** Why a page was not captured. */
  gone: (names: readonly string[]) =>
    `This page needs ${count(names.length, "secret")} that the project doesn't have: ${names.join(", ")}. Add it, and submit the run again.`,
  fork: "This page needs secrets, for example to log in. Runs of pull requests from forks get no secrets, because the fork's author could read them.",
};

export const TRIAL_ERRORS = {
  noPage: (known: readonly string[]) => `is not one of the page. It has ${known.join(", ")}`,
  tooMany: (most: number) =>
    `Your team can submit ${count(most, "trial")} per minute. Wait a minute, and try again.`,
};

/** Why the cause of a change can't be proved. */
export const PROOF_ERRORS = {
  notEnded: "The run hasn't ended. Wait for its end, and try again.",
  notChanged: "Only changed screenshots have a cause to prove.",
  uploaded: "Uploaded screenshots can't be captured again, so their causes can't be proved.",
  tunnel: "The local application of this run is no longer connected, so causes can't be proved.",
  notExplained: "The screenshot or its baseline has no capsule, so the changed files are unknown.",
  tooOld: `Causes can be proved for ${count(PROOF_BOUNDS.days, "day")} after a run. Submit a new run.`,
  tooMany: (most: number) =>
    `Your team can start ${count(most, "proof")} per minute. Wait a minute, and try again.`,
  noRenderer: "No renderer draws like the run's renderer now. Submit a new run.",
  late: "No renderer has done it within an hour.",
  lost: (times: number) => `Its renderer stopped ${count(times, "time")}.`,
};

export const PROJECT_CONFIGURATION_ERRORS = {
  whole: "The run",
  changed: (read: number, now: { version: number; changedBy: string } | null) =>
    now
      ? `The configuration changed since you read version ${read}. ${now.changedBy} saved version ${now.version}. Read it again, and repeat your change.`
      : `This project has no configuration of version ${read}. Read it again, and repeat your change.`,
  merged: (project: string) => ` Part of the run comes from the configuration of the project ${project}.`,
};

/** What operators read in the log. */
/** Texts of exports and imports. */
export const TRANSFER_ERRORS = {
  none: (kind: "export" | "import") => `This team has no ${kind} yet. Start one first.`,
  notCompleted: (status: string) => `The export is ${status}. Download its file once it is completed.`,
  laterVersion: (version: number) =>
    `The file has version ${version} of the format. Update this service, then import it.`,
  existing: (names: readonly string[]) =>
    `This team already has ${listed(names.slice(0, 5))}${names.length > 5 ? ` and ${count(names.length - 5, "other project")}` : ""}. Nothing was imported. Set \`existing\` to \`rename\` or \`skip\`.`,
  running: "An import of this team is running. Wait until it ends.",
  replaced: "This import is not waiting for its file. Start it again.",
  invalidRow: (table: string) =>
    `The file has a row of ${table} that no export has. Export the team again, then import that file.`,
  otherRows: (table: string) =>
    `A part of ${table} has another number of rows than the manifest says. Export the team again.`,
  unknownTable: (table: string) =>
    `The file has a table ${table} that this service doesn't know. Update the service.`,
  noAddress: (name: string) =>
    `${name} has no login of the code host and no email address. Invite the member by hand.`,
  notInvited: (name: string, why: string) => `${name} was not invited: ${why}`,
  gaveUp: (days: number) =>
    `It failed for ${count(days, "day")}. Start it again. If it fails again, ask the operator to look into the log.`,
};

export const LOG_MESSAGES = {
  transfersFailed: "Exports and imports could not be continued. The service will retry.",
  transferFailed: (id: string) => `${id} was interrupted. The service will retry.`,
  noMask: (id: string) => `The changed pixels of ${id} could not be read, so a preview leaves it out.`,
  notRecompared: (run: string) => `${run} could not be compared again. Its rules apply from the next run on.`,
  proofNotQueued: (id: string) => `The proof of ${id} could not be queued. It is tried again.`,
  proofsNotRecovered: "Lost proofs could not be recovered.",
  eventsNotPublished: "Events for webhooks could not be handed over. The service will retry.",
  withoutConfiguration: "A run continues without its repository's configuration.",
  imagesNotCleaned: "Images could not be cleaned up. The service will retry.",
  imagesCleaned: "Images without a run were cleaned up.",
  notRefunded: (run: string) => `The usage of ${run} could not be refunded yet.`,
  notMoved: "Runs could not be moved to other renderers. The service will retry.",
  moved: (fingerprint: string, run: string, to: string, screenshots: number) =>
    `No renderer with the fingerprint ${fingerprint} is left. ${run} continues with ${to} and captures ${screenshots} screenshots again.`,
  runsNotDeleted: "Old runs could not be deleted. The service will retry.",
  runsDeleted: "Runs beyond the retention period were deleted.",
  runsOfNotDeleted: (team: string) => `Old runs of ${team} could not be deleted. The service will retry.`,
  wrongToken: "The token does not match the job.",
  resultRejected: (run: string, screenshot: string) =>
    `A result was rejected. It names run ${run}, screenshot ${screenshot}.`,
  resultNotStored: (run: string) => `A result of ${run} could not be stored.`,
  recoveryFailed: "The recovery sweep failed.",
  reviewersNotForgotten: "People who left could not be removed from reviewer rules. The service will retry.",
  nullRerunsNotSubmitted: "Null reruns could not be submitted. The service will retry.",
  nullRerunNotSubmitted: (run: string) =>
    `The null rerun of ${run} was not submitted. The service will retry.`,
  buildNotCompleted: (run: string) => `The build ${run} was not completed. The service will retry.`,
  notQueued: (run: string) => `${run} was not queued.`,
};

/** Texts of entries in the activity log. */
export const ACTIVITY_TEXTS = {
  page: (name: string, viewport: number) => `${name} at ${viewport} px`,
  pages: (named: readonly string[], others: number) =>
    others > 0 ? `${named.join(", ")} and ${figure(others)} more` : named.join(", "),
};

/** Why a comment is refused. */
export const COMMENT_ERRORS = {
  tooMany: (most: number) =>
    `A run has at most ${figure(most)} comments. Delete some before you add another one.`,
  notInRun: "is not a comment on this run",
  noScreenshot: "is not a screenshot of this run",
  notYours: "Only its author can edit a comment. Reply to it instead.",
  notYoursToDelete: "You can delete your own comments. Team admins can delete others.",
};

export const REVIEWER_ERRORS = {
  noReview: "This run has no review, so it can't have reviewers.",
  noMember: "is not a member of the team",
  viewer: "is the login of a viewer. Only reviewers and admins can review",
};

/** Names of the sides of a comparison. */
export const COMPARISON_TEXTS = {
  run: (project: string, scope: string) => `${project}, ${scope}`,
  pullRequest: (pr: number) => `pull request #${pr}`,
  branch: (project: string, branch: string) => `${project}, baselines of ${branch}`,
  moment: (monitor: string, moment: string | null) => `${monitor}, ${moment ?? "latest"}`,
};

/** Why a comparison is refused, or a page of it could not be compared. */
export const COMPARISON_ERRORS = {
  noRun: (id: string) =>
    `This team has no run ${id}. Check the id and the team. Runs and their screenshots are deleted at the end of your plan's retention period. Compare a newer run, or a branch.`,
  notEnded: (id: string) => `${id} has not ended. Compare it once it is completed.`,
  noProject: (project: string) =>
    `This team has no project ${project}. GET /v1/projects lists the projects with their branches.`,
  noBranch: (project: string, branch: string) =>
    `The project ${project} has no baselines on the branch ${branch}. Approve a run of the branch first, or compare a run of it.`,
  noMoment: (monitor: string, moment: string | null) =>
    `This team has no monitor ${monitor} with screenshots${moment === null ? "" : ` from before ${moment}`}. Check the id and the team, or choose a later moment. GET /v1/monitors/:id/looks lists the moments of a page.`,
  noLook: (id: string) =>
    `This team has no look ${id}. The looks of a page are kept for a year, at most 50. GET /v1/monitors/:id/looks lists them.`,
  notCaptured: (why: string | null) => `The page could not be captured. ${why ?? ""}`.trim(),
  failed:
    "The two images could not be compared. One of them may have been deleted or damaged. Compare again in ten minutes, or compare a newer run.",
};
