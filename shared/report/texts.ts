/**
 * The texts of runs and screenshots in reports, which the dashboard shows too. Those of the HTML page are in
 * `render/texts.ts`, and those of its script in `page/texts.js`.
 */
import { BOUNDS } from "../contracts/capture/bounds.ts";
import { count, figure, listed } from "../text/format.ts";
import type { DisplayStatus } from "./display-status.ts";

/** Names of statuses, including decisions. */
export const STATUS_NAMES: Record<DisplayStatus | "unstable", string> = {
  changed: "Changed",
  new: "New",
  removed: "Removed",
  failed: "Failed",
  rejected: "Rejected",
  pending: "Pending",
  approved: "Approved",
  carried: "Carried approval",
  minor: "Minor change",
  unchanged: "Unchanged",
  unstable: "Unstable",
};

export const GROUP_TEXTS = {
  review: {
    title: "Needs review",
    about: "These screenshots differ from their baselines by more than the threshold.",
  },
  new: {
    title: "New",
    about: "These pages have no baseline yet. Approved screenshots become the baselines.",
  },
  removed: { title: "Removed", about: "These pages have a baseline, but aren't in this run." },
  failed: { title: "Failed", about: "These pages couldn't be captured. Each one shows the reason." },
  pending: { title: "Pending", about: "These pages haven't been captured or compared yet." },
  minor: { title: "Minor changes", about: "These differences are within the threshold. Review is optional." },
  unstable: {
    title: "Unchanged but unstable",
    about: "These pages kept changing during capture. Later runs may report false changes.",
  },
  reviewed: { title: "Reviewed", about: "These screenshots were approved or rejected." },
  unchanged: { title: "Unchanged", about: "No pixels changed outside ignore regions." },
  falseAlarms: {
    title: "False alarms",
    about: "These pages differ from the original run, although the deployment is the same.",
  },
};

export const CONCLUSION_TEXTS = {
  queued: { title: "Queued", detail: "No page has been rendered yet." },
  rendering: "Rendering",
  comparing: "Comparing",
  progress: (done: number, all: number) =>
    `${figure(done)} of ${count(all, "screenshot")} done. The conclusion follows when all are done.`,
  failed: { title: "The run failed", detail: "No page could be rendered." },
  canceled: {
    title: "The run was canceled",
    detail: "Screenshots captured before the cancellation are below. They don't change any baseline.",
  },
  notCaptured: (failed: number) => `${count(failed, "screenshot")} couldn't be captured.`,
  reasons: (failed: number) => (failed === 1 ? "The reason is below." : "The reasons are below."),
  /** `18 changed, 2 new, and 1 removed screenshot to review` */
  toReview: (open: readonly { kind: string; size: number }[]) => {
    const parts = open.map(({ kind, size }, index) =>
      index < open.length - 1 ? `${figure(size)} ${kind}` : count(size, `${kind} screenshot`),
    );
    return `${listed(parts)} to review`;
  },
  needReview: (open: number, all: number) =>
    `${figure(open)} of ${count(all, "screenshot")} ${open === 1 ? "needs" : "need"} review.`,
  noBaselines: "There are no baselines yet. Approved screenshots become the baselines.",
  newPages: "New pages have no baseline yet. Approved screenshots become the baselines.",
  approved: "Approved",
  newBaselines: "The next run is compared with these screenshots.",
  carried: "Approved earlier",
  carriedDetail: (carried: number) =>
    `${count(carried, "change")} ${carried === 1 ? "has" : "have"} a carried approval from this pull request or branch.`,
  rejected: (open: number) => (open === 0 ? "Rejected" : `Rejected, ${figure(open)} more to review`),
  rejectedDetail: (rejected: number) =>
    `${count(rejected, "screenshot")} ${rejected === 1 ? "was" : "were"} rejected. The baselines stay as they are.`,
  othersUnchanged: (others: number) => `${count(others, "other")} ${others === 1 ? "is" : "are"} unchanged.`,
  unchanged: "Nothing changed",
  compared: (all: number) =>
    `${count(all, "screenshot")} compared with ${all === 1 ? "its baseline" : "their baselines"}.`,
  minorApproved: (minor: number) =>
    minor === 1 ? "The minor change is approved." : "The minor changes are approved.",
  minorOpen: "Minor changes are within the threshold and don't need review.",
  someApproved: (approved: number) =>
    `${figure(approved)} of them ${approved === 1 ? "is" : "are"} approved.`,
  minorBesides: (minor: number) =>
    minor === 1
      ? "1 more screenshot has a minor change, within the threshold."
      : `${figure(minor)} more screenshots have minor changes, within the threshold.`,
  nullRerun: (falseAlarms: number) =>
    `Null rerun: ${falseAlarms === 0 ? "no false alarms" : count(falseAlarms, "false alarm")}`,
  nullRerunDetail: (compared: number) =>
    `${count(compared, "screenshot")} compared with the original run. There is nothing to review.`,
};

export const SCREENSHOT_TEXTS = {
  pending: "not captured yet",
  failed: "couldn't be captured",
  new: "no baseline yet",
  becameBaseline: "became the baseline",
  removed: "not in this run",
  identical: "identical",
  identicalOutside: "identical outside ignore regions",
  changed: (share: string, regions: number) => `${share} · ${count(regions, "region")}`,
  changedSpoken: (share: string, regions: number) => `${count(regions, "region")} changed, ${share}`,
  amount: (share: string, pixels: number) => `${share}, ${count(pixels, "pixel")}`,
  faint: (pixels: number) => `${count(pixels, "pixel")}, slightly different color`,
  size: (change: string) => `The page is now ${change}.`,
  wider: (px: number) => `${figure(px)} px wider`,
  narrower: (px: number) => `${figure(px)} px narrower`,
  taller: (px: number) => `${figure(px)} px taller`,
  shorter: (px: number) => `${figure(px)} px shorter`,
  unstable: (attempts: number, moving: readonly string[]) =>
    `Unstable after ${count(attempts, "attempt")}. ${moving.length > 0 ? `Kept changing: ${moving.join(", ")}.` : "The page kept changing."}`,
  flaky: (score: number) => `flaky ${Math.round(score * 100)}%`,
  ignored: (pixels: number, regions: number) =>
    `${count(regions, "ignore region")} ${regions === 1 ? "hides" : "hide"} ${count(pixels, "changed pixel")}.`,
  ignoredInAll: (pixels: number, screenshots: number) =>
    `Ignore regions hide ${count(pixels, "changed pixel")} in ${count(screenshots, "screenshot")}.`,
  failedToLoad: (missing: readonly string[]) => `Failed to load ${missing.join(", ")}.`,
  nothingToIgnore: (selector: string) =>
    `No element of the screenshot matches the ignore region ${selector}.`,
  tooManyToIgnore: (selector: string, matches: number) =>
    `${count(matches, "element")} match the ignore region ${selector}. Changes in some of them count, because a screenshot can have ${BOUNDS.selectorRegions} such regions.`,
  cut: (pageHeightPx: number, heightPx: number) =>
    `The page is ${figure(pageHeightPx)} px tall. The screenshot stops at ${figure(heightPx)} px.`,
  sharedNote: (note: string, screenshots: number) =>
    `${note.replace(/\.$/, "")}, on ${count(screenshots, "screenshot")}.`,
  minorChanges: (minor: number) => count(minor, "minor change"),
  counted: (size: number, status: string) => `${figure(size)} ${status}`,
  unchanged: (unchanged: number) => `${count(unchanged, "screenshot")} unchanged`,
  onlyMinor: (minor: number) => `${count(minor, "screenshot")} with ${minorChanges(minor)}`,
  unchangedAndMinor: (unchanged: number, minor: number) =>
    `${count(unchanged, "screenshot")} unchanged, ${figure(minor)} with ${minorChanges(minor)}`,
};

/** Why screenshots changed. */
export const EXPLANATION_TEXTS = {
  why: "Why it changed",
  causes: "Causes",
  effects: "What followed",
  accessibility: "Accessibility",
  onlyAccessibility: (changes: number) => count(changes, "accessibility change"),
  withMore: (first: string, more: number) => `${first}, and ${count(more, "more cause")}`,
  inProven: (text: string) => `${text} (proven)`,
  inScreenshots: (text: string, screenshots: number) => `${text}: ${count(screenshots, "screenshot")}`,
};

export const PRODUCTION_TEXTS = {
  since: (time: string) => `Already in production since ${time}`,
  sinceBefore: "Already in production since ",
  several: (screenshots: number, all: number) =>
    screenshots === all && all === 1
      ? "The change is already in production."
      : `${screenshots === all ? "All" : figure(screenshots)} ${screenshots === all ? count(all, "change") : `of ${count(all, "change")}`} ${screenshots === 1 ? "is" : "are"} already in production.`,
};

/** What a run was meant to change. */
export const INTENT_TEXTS = {
  unintended: "Not intended",
  counts: (intended: number, unintended: number) =>
    unintended === 0
      ? `All ${count(intended, "difference")} match what the run was meant to change.`
      : `${figure(unintended)} of ${count(intended + unintended, "difference")} ${unintended === 1 ? "is" : "are"} not intended.`,
};

/** Results of proofs. Code is in backticks. */
export const PROOF_TEXTS = {
  prove: "Prove it",
  again: "Try again",
  title: "Proof",
  running: "The page is captured with files of its baseline…",
  proven: (file: string) => `Proven: with the baseline's \`${file}\`, the difference vanishes.`,
  provenTogether: (files: readonly string[], all: number) =>
    `Proven: with the baseline's ${files.map(file => `\`${file}\``).join(", ")}${all > files.length ? ` and ${count(all - files.length, "more file")}` : ""} together, the difference vanishes.`,
  notExplained: (tried: number, unkept: number) => {
    const rest = unkept === 0 ? "" : ` The baseline's content of ${count(unkept, "more file")} isn't kept.`;
    if (tried === 0) return `Not proven: no file of the page changed.${rest}`;
    return tried === 1
      ? `Not proven: the changed file doesn't explain the difference.${rest}`
      : `Not proven: none of the ${figure(tried)} changed files explains the difference.${rest}`;
  },
  notKept: "Not proven: the baseline's content of the changed files isn't kept.",
  noChange: "Not proven: the page no longer differs from its baseline.",
  pageChanged: "Not proven: the page has changed since this run. Submit a new run.",
  unreachable: (reason: string) => `Not proven: the page can't be captured now. ${reason}`,
  failed: (reason: string) => `The proof failed. ${reason}`,
};

/** What went wrong in a page. */
export const DIAGNOSTICS_TEXTS = {
  pageErrors: (errors: number) => count(errors, "page error"),
  consoleErrors: (errors: number) => count(errors, "console error"),
  consoleWarnings: (warnings: number) => count(warnings, "console warning"),
  moreMessages: (messages: number) => count(messages, "more console message"),
  failedRequests: (requests: number) => count(requests, "failed request"),
  withNew: (entries: number) => ` (${figure(entries)} new)`,
  names: {
    pageError: "Page error",
    error: "Console error",
    warning: "Console warning",
    failedRequest: "Failed request",
  },
  line: (url: string, line: number) => `${url}:${line}`,
  outcome: (type: string, outcome: string) => `${type}, ${outcome}`,
  times: (times: number) => `${figure(times)} times`,
  isNew: "new",
  isNewTitle: "The baseline's screenshot doesn't have it.",
  more: (entries: number) => `${figure(entries)} more`,
};

function minorChanges(minor: number): string {
  return minor === 1 ? "a minor change" : "minor changes";
}

export const REVIEW_TEXTS = {
  verdicts: { approved: "approved", rejected: "rejected", dismissed: "dismissed the earlier reviews" },
  asNoise: " as noise",
  noLongerCounts: " (no longer counts)",
  reason: (reason: string) => `: ${reason}`,
  decided: (by: string, verdict: string) => `${by} ${verdict}, `,
  approvals: (approvals: number, required: number) => `${figure(approvals)} of ${figure(required)} approvals`,
  moreNeeded: (approved: string, by: string, missing: number) =>
    `${approved}, by ${by}. ${count(missing, "more approval")} needed.`,
  carried: (by: string, runId: string) => `Carried approval: ${by} approved the same change in ${runId}, `,
  approvedBy: (by: string) => `Approved by ${by}, `,
  rejectedBy: (by: string) => `Rejected by ${by}, `,
  rejectedAsNoiseBy: (by: string) => `Rejected as noise by ${by}, `,
  unknownReviewer: "a reviewer",
  others: (others: number) => count(others, "other"),
};
