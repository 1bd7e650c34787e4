import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { CaptureStep } from "../../shared/contracts/capture/timings.ts";
import type { ReviewState } from "../../shared/contracts/reviews/review-view.ts";
import { formatApprovals } from "../../shared/report/describe-review.ts";
import type { GroupName } from "../../shared/report/group-screenshots.ts";
import type { Mode } from "../../shared/report/page/modes.js";
import { percent } from "../../shared/text/format.ts";
import { commonTexts } from "./common.ts";
import { form, number, plural, wholePercent } from "./format.ts";

/** Texts of the review of a run. */
export const reviewTexts = {
  title: "Review",
  titleOf: (project: string) => `Review of ${project}`,
  screenshot: "Screenshot",
  noScreenshots: "This run has no screenshots.",
  newerRun: "A newer run exists. {link}",
  newerRunOf: "A newer run of {branch} exists. {link}",
  reviewNewer: "Review newer run",

  backToRun: "Back to run",
  backToRunTitle: "Back to run (Esc)",
  queue: "Queue",
  left: (left: number, total: number) => `${number(left)} of ${number(total)} left`,
  keys: "Keyboard shortcuts",
  keysTitle: "Keyboard shortcuts (?)",
  undo: "Undo",
  reject: "Reject",
  approve: "Approve",
  waitForOthers: (n: number) => `${plural(n, "screenshot")} ${form(n, "needs", "need")} approval from others`,
  minorChanges: (n: number) => plural(n, "minor change"),
  nothingToReview: "Nothing to review",

  queueLabel: "Review queue",
  all: "All",
  order: "Order",
  orders: {
    change: "By cause",
    size: "Largest change first",
    route: "By route",
    component: "By component",
  },
  bySize: "Largest first",
  noRoute: "No routes match.",
  noMatch: "No screenshots match the filter. Clear it to see more.",
  filter: (selected: readonly string[]) =>
    selected.length > 0 ? `Filter: ${selected.join(", ")}` : "Filter",
  clearFilter: "Clear",
  reviewMinor: (n: number) => `Review ${plural(n, "minor change")}`,
  showMinor: (n: number) => `Show ${plural(n, "minor change")}`,
  approveGroup: "Approve group",
  partOf: (left: number, all: number) => `${number(left)} of ${number(all)}`,
  sameChange: (index: number) => `Same change ${index}`,
  ungrouped: (title: string) => `${title}, not grouped`,

  undone: "Decision undone.",
  nothingToUndo: "Nothing to undo.",
  onlyReviewers: "Only reviewers can approve or reject screenshots, and only after the run has completed.",
  nothingToApprove: "Nothing to approve here.",
  nothingToReject: "Nothing to reject here.",
  outsideSearch: "This screenshot doesn't match the search. Open one from the queue to decide on it.",
  nothingLeftForYou: "You have nothing left to review.",
  allDecided: "All screenshots are reviewed.",
  leftOutside: (n: number) =>
    `Outside the filter, ${plural(n, "screenshot")} ${form(n, "needs", "need")} review.`,
  lastScreenshot: "This is the last screenshot.",
  firstScreenshot: "This is the first screenshot.",
  oneWidth: "This page has only one width.",
  oneWidthSelected: "The filter shows only one width of this page.",
  linkCopied: "Link copied.",
  linkNotCopied: "Your browser blocked access to the clipboard. Copy the link from the address bar.",

  notSavedYet: (n: number) => `${plural(n, "decision")} not saved yet.`,
  notSavedElsewhere: (n: number) => `${plural(n, "decision")} on a run not saved.`,
  openUnsaved: "Open the run",
  retryNow: "Retry now",
  notSaved: "The decision was not saved.",
  retry: "Retry",
  discard: "Discard decision",
  decisionOn: (n: number, verdict: "approved" | "rejected" | null, reason: string | null) =>
    `(${plural(n, "screenshot")} ${verdict ?? "undone"}${reason ? `: ${reason}` : ""})`,
} as const;

/** Titles of the review queue's sections. */
export const sectionTitles: Record<GroupName, string> = {
  review: "Changed",
  new: "New",
  removed: "Removed",
  failed: "Failed",
  pending: "Pending",
  minor: "Minor changes",
  unstable: "Unstable",
  reviewed: "Reviewed",
  unchanged: "Unchanged",
};

/** The stored reason if reviewers undo their own decision. */
export const UNDONE_REASON = "Undone";

export const rejectTexts = {
  title: (n: number) => (n === 1 ? "Reject this screenshot" : `Reject ${number(n)} screenshots`),
  reason: "Reason",
  reasonHint: "Press Enter to reject, or Shift+Enter for a new line.",
  noiseHint:
    "Noise is a false alarm: the screenshot changed, but the page didn't. After three in the same region, vrs suggests an ignore region.",
  asNoise: "Reject as noise",
  confirm: (n: number) => form(n, "Reject screenshot", "Reject screenshots"),
} as const;

/** Labels of keyboard shortcuts beyond those of the report. */
export const keyLabels = {
  approve: "Approve and go to the next",
  approveWithNote: "Approve with a note",
  comments: "Show or hide comments",
  ignore: "Ignore noise: draw a region, or raise the threshold",
  reject: "Reject with a reason",
  approveGroup: "Approve the group: the same change, or all minor changes",
  rejectGroup: "Reject the group",
  minor: "Review minor changes, largest first",
  undo: "Undo",
  nextWidth: "Same page at the next width",
  filter: "Show all screenshots, or only those to review",
  find: "Find a route",
  prove: "Prove which file causes the change",
  queue: "Show or hide the queue",
  keys: "Keyboard shortcuts",
  close: "Back to run",
} as const;

interface Reviewed extends ScreenshotKey {
  review: { state: ReviewState; approvals: number; required: number } | null;
}

/** Describes the effect of a decision: `/pricing at 375 px approved.`, or what is still missing. */
export function outcomeText(shots: readonly Reviewed[], verdict: "approved" | "rejected"): string {
  const [first] = shots;
  const isOne = shots.length === 1;
  const what = isOne && first ? commonTexts.pageAt(first) : plural(shots.length, "screenshot");
  const count = (state: ReviewState) => shots.filter(({ review }) => review?.state === state).length;
  const [waiting, rejected] = [count("pending"), count("rejected")];
  if (verdict === "rejected" || waiting + rejected === 0) return `${what} ${verdict}.`;
  const yours = `You approved ${what}`;
  if (isOne && first?.review && waiting > 0) return `${yours}: ${formatApprovals(first.review)}.`;
  if (isOne) return `${yours}. Another reviewer rejected it.`;
  const still = [
    waiting > 0 && `${number(waiting)} ${form(waiting, "needs", "need")} approval from others.`,
    rejected > 0 && `${number(rejected)} ${form(rejected, "is", "are")} rejected by other reviewers.`,
  ];
  return [`${yours}.`, ...still.filter(sentence => sentence !== false)].join(" ");
}

export const screenshotTexts = {
  details: "Details",
  baselineIs: (reason: string) => `Baseline: ${reason}`,
  difference: "Difference",
  baseline: "Baseline",
  noBaseline: "None yet",
  baselineInRun: "{reason}, {link}",
  viewRun: "open its run",
  size: "Size",
  sizeOf: (width: number, height: number) => `${width} × ${height} px`,
  sizeBefore: (size: string, before: string) => `${size}, previously ${before}`,
  stable: "Stable",
  stability: (isStable: boolean, attempts: number) =>
    `${isStable ? "Yes" : "No"}, after ${plural(attempts, "attempt")}`,
  flakeScore: "Flake score",
  flakeScoreIs: "{percent} of this page's recent captures were noise. {link}",
  viewNoise: "View noise of the project",
  browser: "Browser",
  reviews: "Reviews",

  failure: "Failure",
  diagnostics: (entries: number, news: number) =>
    `Console and network (${number(entries)}${news > 0 ? `, ${number(news)} new` : ""})`,
  history: "History",
  recentRuns: "Recent runs",
  allApprovals: "View all approvals of this page",
  baselinesOf: "View baselines of {project}",
  unstable: "Unstable",
  differsUnstable: (ratio: number) => `${percent(ratio)}, unstable`,
  notCompared: "Not compared",
  identical: "Identical",
  slightColor: "Slightly different color",
  captureTook: (time: string) => `The capture took ${time}`,
  captureWith: (attempts: number, browser: string | null) =>
    `in ${plural(attempts, "attempt")}${browser ? `, with ${browser}` : ""}`,
} as const;

/** Texts about the test that made an uploaded screenshot. */
export const testTexts = {
  test: "Test",
  file: "File",
  title: "Title",
  tags: "Tags",
  url: "Page",
  retries: "Retries",
  retriesAre: (retries: string) => `${retries}. This is the screenshot of the last attempt.`,
  note: "Note",
  previousNames: "Previous names",
  attachments: "Attachments",
  openTrace: "open trace",
} as const;

/** Names of a capture's steps, in order. Renderers of other versions may send others. */
export const captureSteps: Record<CaptureStep, string> & Record<string, string | undefined> = {
  prepare: "Create a browser context",
  load: "Load the page",
  response: "First byte of the page, while it loads",
  story: "Render the story",
  settle: "Wait until stable",
  steps: "Run the steps",
  screenshot: "Stop animations and take the screenshot",
  unfreeze: "Start animations again",
  capsule: "Record how the page was built",
  compareTakes: "Compare the attempts",
  nameMoving: "Find moving elements",
};

const MODE_NAMES: Record<Exclude<Mode, "baseline" | "new">, string> = {
  side: "Side",
  swipe: "Swipe",
  overlay: "Overlay",
  blink: "Blink",
};

/** Texts of the comparison with the baseline. */
export const stageTexts = {
  noImage: "This page has no screenshot.",
  toolbar: "View",
  mode: "Comparison mode",
  modeName: (mode: Mode, sides: { baseline: string; current: string }) => {
    if (mode === "baseline") return sides.baseline;
    return mode === "new" ? sides.current : MODE_NAMES[mode];
  },
  regions: "Changed regions",
  previousRegion: "Previous region",
  nextRegion: "Next region",
  region: "Region",
  regionOf: (region: number, regions: number) => `${region}/${regions}`,
  highlights: "Highlights",
  mask: "Mask",
  outline: "Outline",
  maskColor: "Mask color",
  maskOpacity: "Mask opacity",
  newSide: "New screenshot",
  opacity: "Opacity",
  blinkInterval: "Interval",
  seconds: (ms: number) => `${(ms / 1000).toFixed(2)} s`,
  zoom: "Zoom",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  zoomIs: (zoom: number) => wholePercent(zoom),
  noZoom: "–",
  fit: "Fit",
  actualSize: "1:1",
  actualSizeLabel: "1:1, actual size",
  actualSizeTitle: "Actual size, 100%",
} as const;
