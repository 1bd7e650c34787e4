import { describeOtherRenderers } from "../../shared/mixed-renderers.ts";
import { count, figure } from "../../shared/report/figures.ts";

/** Every text of runs, baselines, and reviews that users read. */

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
  url: (why: string) => `can't be rendered: ${why}. Ask the operator to allow it with SERVICE_ALLOW_HOSTS`,
  idempotencyKey: (runId: string) =>
    `was already used with another body, for ${runId}. Send a new key for a new run`,
  monitorProject: "can't be set for monitors. Null reruns are for projects with runs",
  lostNodes: (times: number) =>
    `The node that rendered this page stopped ${count(times, "time")}. The page may need more memory than a node has.`,
  privateLinks: "Only members can open this team's links. Sign in first.",
  deadLink:
    "This link has expired, was revoked, or is invalid. Sign in, or ask a member of the team for a new link.",
};

/** Notes for reviewers. */
export const RUN_WARNINGS = {
  recaptured:
    "The renderers that started this run stopped. Renderers with another browser build or other fonts captured all its pages again.",
  otherRenderers: describeOtherRenderers,
  otherBrowser: (baseline: string, browser: string) =>
    `The baseline was captured by ${baseline}, this screenshot by ${browser}. Differences may come from that.`,
  otherRenderer:
    "The baseline was captured by another browser build or with other fonts. Differences may come from that.",
  unstable: (screenshots: number) =>
    `The last ${count(screenshots, "screenshot")} of this page all differ. Mask or hide elements that change on every load.`,
  configurationUnavailable:
    "The repository's configuration at this commit couldn't be read, because the code host isn't responding.",
  withoutConfiguration:
    "This run doesn't use the repository's configuration: it captures the routes that it was submitted with, or / alone, with default settings. Pages that it doesn't capture aren't reported as removed.",
};

export const CONFIGURATION_ERRORS = {
  invalid: (first: string) =>
    `The repository's configuration at this commit has errors: ${first}. Fix it, or set viewports, threshold, baselineBranch or options in the body.`,
};

export const REVIEW_ERRORS = {
  nullRerun: (runId: string) => `${runId} is a null rerun, which can't be reviewed.`,
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
  dismissedRegionLimit: (ofPage: number, ofProject: number) =>
    `The limit of ${figure(ofPage)} dismissed regions per page and ${figure(ofProject)} per project is reached. Dismissed regions expire after 90 days.`,
};
