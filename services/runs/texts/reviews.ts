import { count, figure } from "../../../shared/text/format.ts";

/** Texts of reviews, ignore rules and comments for users. */

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
  ofRegion: (environment: string) =>
    `It applies only to pages that a region captured: ${environment}. A configuration can't name regions.`,
  oneWidth:
    "It raises the threshold at one width. A configuration sets the threshold of a route at all widths.",
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
