import { count, figure } from "../../../shared/text/format.ts";

/** Texts of check runs and comments. If a text is Markdown, so are its arguments. */

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
  notResponding: "The service that does the runs is not responding. The app will retry.",
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
  howToReplyOnly: "Replies to this comment appear in the thread. Resolve the thread in the dashboard.",
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
