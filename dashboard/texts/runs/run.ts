import { formatThreshold } from "../../../shared/text/format.ts";
import type { OwnDecisions } from "../../run/own-decisions.ts";
import { number, plural } from "../format.ts";

const UNDO_OWN: Record<OwnDecisions["name"], string> = {
  approval: "Undo approval",
  rejection: "Undo rejection",
  decisions: "Undo my decisions",
};

/** Texts of the page of a run. */
export const runTexts = {
  title: "Run",
  seeRuns: "Go to runs",
  newerRun: "A newer run exists. This run's screenshots may be outdated. {link}",
  newerRunOf: "A newer run of {branch} exists. This run's screenshots may be outdated. {link}",
  openNewer: "Open newer run",
  captured: (captured: number, total: number, compared: number) =>
    `${number(captured)} of ${number(total)} captured, ${number(compared)} compared.`,
  uploaded: "Uploaded screenshots",
  archive: "Uploaded archive",
  uploadsCompared: (compared: number, total: number) =>
    total === 0
      ? "The screenshots are being uploaded."
      : `${number(compared)} of ${number(total)} uploaded screenshots compared.`,
  intent: "Meant to change",
  warnings: "Warnings",
  notes: "Notes on screenshots",
  nullRerun: "A null rerun repeats a run of the same deployment to count false alarms. {link}",
  viewNoise: "View noise of the project",
  loadingMore: (n: number) => `Loading ${plural(n, "more screenshot")}…`,
  noMatch: "No screenshots match. Clear a filter to see more.",

  facts: {
    site: "Site",
    source: "Source",
    repository: "Repository",
    pullRequest: "Pull request",
    branch: "Branch",
    commit: "Commit",
    author: "Author",
    submitted: "Submitted",
    duration: "Duration",
    threshold: "Threshold",
    fromProject: "Set by the project",
    fromRepository: "Set by the repository",
    id: "Run ID",
  },
  submittedBy: "{time} by {name}",
  ofPixels: (threshold: number) => `${formatThreshold(threshold)} of pixels`,

  review: (n: number) => `Review ${plural(n, "screenshot")}`,
  reviewUncounted: "Review screenshots",
  view: "View screenshots",
  reviewMinor: (n: number) => `Review ${plural(n, "minor change")}`,
  approve: "Approve run",
  reject: "Reject run…",
  undoOwn: (name: OwnDecisions["name"]) => UNDO_OWN[name],
  cancel: "Cancel run",
  more: "More",
  rerun: "Re-run",
  rerunFailed: (count: number) => `Re-run ${plural(count, "failed screenshot")}`,
  rerunStarted: "A new run was started.",
  openReport: "Open report",
  rejected: "Run rejected.",
  undone: (n: number) => `Decision undone on ${plural(n, "screenshot")}.`,
  noMinor: "This run has no minor changes.",

  revokeLinks: "Revoke links…",
  revokeLinksTitle: "Revoke the links of this run?",
  revokeLinksAbout:
    "Shared links to the report and its images stop working, including those in pull requests and alerts. Team members can still open them.",
  keepLinks: "Keep links",
  confirmRevokeLinks: "Revoke links",
  linksRevoked: "Links revoked. Open the report to get a new link.",

  filter: "Filter screenshots",
  status: "Status",
  approveSome: (n: number) => `Approve ${plural(n, "screenshot")}`,
  selection: "Selected screenshots",
  selected: (n: number) => `${number(n)} selected`,
  rejectSome: (n: number) => `Reject ${plural(n, "screenshot")}…`,
  clearSelection: "Clear selection",
  select: (page: string, others: number) =>
    others > 0 ? `Select ${page} and ${plural(others, "more screenshot")}` : `Select ${page}`,
  approveMinor: (n: number) => `Approve ${plural(n, "minor change")}`,
  approveUncounted: "Approve screenshots",
  atLeast: (n: number) => `${number(n)}+`,
  times: (n: number) => `× ${n}`,
  showSame: (n: number) => `Show the same change on ${plural(n, "more screenshot")}`,
  hideSame: (n: number) => `Hide the same change on ${plural(n, "more screenshot")}`,
  flakyTitle: "The share of this page's recent captures that were noise",
  openCarriedRun: "Open that run",
  openTrace: "Open trace",
  sizeChanged: (change: string) => `The page is ${change}.`,
} as const;

/** Stories of a Storybook. */
export const storyTexts = {
  components: "Components",
  all: "All components",
  open: (screenshots: number) => `${number(screenshots)} to review`,
  story: "Story",
  component: "Component",
  allStories: (component: string) => `See all stories of ${component}`,
  id: "ID",
  mode: "Mode",
  args: "Args",
  link: "Storybook",
  openStory: "Open story",
} as const;
