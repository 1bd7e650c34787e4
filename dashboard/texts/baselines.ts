import { percent } from "../../shared/text/format.ts";
import { number, plural } from "./format.ts";

/** Texts of the pages about baselines and their history. */
export const baselinesTexts = {
  title: "Baselines",
  titleOf: (project: string) => `Baselines of ${project}`,
  viewNoise: "View noise",
  viewNoiseTitle: "Flaky pages and ignore regions",
  olderProjects: "Show older projects",
  more: "Show more baselines",
  noRoute: (find: string) => `No routes contain “${find}”.`,
  aboutDefault: (branch: string) => `Runs of this project are compared with the baselines on ${branch}.`,
  aboutOther: (branch: string, defaultBranch: string | undefined) =>
    `These baselines apply only to ${branch}. Other runs are compared with ${defaultBranch ?? "the default branch"}.`,
  pullRequest: (pr: number) => `pull request #${pr}`,

  filter: "Filter baselines",
  project: "Project",
  scope: "Branch or pull request",

  height: (height: number) => `${number(height)} px tall`,
  approvedBy: "{names}, {time}",
  approved: "Approved",

  chooseProject: "Choose a project. Each project has its own baselines.",
  projects: "Projects",
  created: "Created {time}",
  noneYet: "No baselines yet",
  on: (branch: string) => `Baselines on ${branch}`,
  noneOn: (branch: string) => `No baselines on ${branch}`,
  branches: (n: number) => plural(n, "branch", "branches"),
  pullRequests: (n: number) => plural(n, "pull request"),

  emptyTitle: (branch: string | null) =>
    branch === null ? "No baselines yet" : `No baselines on ${branch} yet`,
  emptyAbout:
    "A baseline is an approved screenshot that later runs are compared with. The first run of a project has no baselines. Approve that run to create them.",
  startRun: "Start a run",
  openRuns: "Go to runs",
  fromTerminal: "You can also approve a run from a terminal:",
} as const;

export const historyTexts = {
  empty: "No approvals yet for this page at this width. {link}",
  viewBaselines: "View baselines",
  screenshot: "Approved screenshot",
  approvals: "Approvals",
  older: "Show older approvals",
  restored: (scope: string) => `Baseline restored on ${scope}.`,
  restore: "Restore as baseline",
  restoreRemoval: "Restore as removed",
  current: "Current",
  approvedBy: "{names}, {time}",
  approved: "Approved",
  restoredBy: "Restored by {name}, {time}",
  openRun: "Open run",
  changed: (ratio: number) => `${percent(ratio)} changed`,
  size: (width: number, height: number) => `${width}\u00a0×\u00a0${number(height)}\u00a0px`,
  carried: "Carried approval",
  runDeleted: "Run deleted",

  sides: {
    baseline: "Before",
    noBaseline: "No previous baseline",
    current: "Approved",
    noCurrent: "Removed",
  },
  previousApproval: "the previous approval",
  baselineThen: "the baseline at the time of approval",
  comparedWith: (reason: string) => `Compared with ${reason}.`,
  firstApproval: "This is the first approval of this page.",
} as const;
