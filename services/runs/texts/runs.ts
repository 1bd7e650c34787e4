import { PROOF_BOUNDS } from "../../../shared/contracts/runs/proof.ts";
import { describeOtherRenderers } from "../../../shared/mixed-renderers.ts";
import { count, figure, listed } from "../../../shared/text/format.ts";

/** Texts of runs and their screenshots for users. */

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
  monitorProject: "can't be set for monitors. These settings are for projects with runs",
  longRetention: (plan: string, days: number) =>
    `must be at most ${figure(days)}, the days for which the ${plan} plan keeps runs`,
  lostNodes: (times: number) =>
    `The node that rendered this page stopped ${count(times, "time")}. The page may need more memory than a node has.`,
  largeJob:
    "The options are too large to send to a renderer. Use fewer or smaller bodies in network rules, files in steps, and data of sessions.",
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

/** Notes for reviewers. */
export const RUN_WARNINGS = {
  noRenderer: "No renderer is connected. The run waits until one starts.",
  recaptured:
    "The renderers that started this run stopped. Renderers with another browser build or other fonts captured all its pages again.",
  otherRenderers: describeOtherRenderers,
  mostRemoved: (screenshots: number) =>
    `A run lists at most ${count(screenshots, "removed screenshot")}, so there may be more. Approve these, then start another run.`,
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

/** Why a run can't be repeated. */
export const RERUN_ERRORS = {
  kind: "Null reruns and trials can't be repeated. Repeat the original run.",
  uploaded: "Uploaded screenshots can't be captured again. Run your tests again.",
  tunnel:
    "The run captured a local application, whose tunnel is closed. Submit a new run with `vrs run --render remote`.",
  unfinished: "The run hasn't ended. Wait for it, or cancel it first.",
  expired: "The options of a run are kept for 7 days after its end. Submit a new run.",
  noArchive: "The site that the run captured was deleted. Upload it again, and submit a new run.",
  storybook: "Stories are listed at submission. Submit a new run of the Storybook.",
  nothing: "The run has no such screenshot.",
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
