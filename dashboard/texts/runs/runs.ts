import { plural } from "../format.ts";

/** Texts of the list of runs, and of the form that starts one. */
export const runsTexts = {
  title: "Runs",
  startRun: "Start a run",
  older: "Show older runs",
  noMatch: "No runs match. Clear a filter to see more.",
  captured: (captured: number, total: number) => `${captured} of ${plural(total, "screenshot")} captured`,
  uploaded: "uploaded screenshots",
  uploading: "Uploading",
  compared: (compared: number, total: number) => `${compared} of ${plural(total, "screenshot")} compared`,

  filter: "Filter runs",
  status: "Status",
  all: "All",
  project: "Project",
  branch: "Branch",
  anyName: "Any",
  includeChecks: "Include monitor checks",

  emptyForViewers: "No runs yet. Runs appear here when a reviewer or CI submits one.",
  firstRun: "Start your first run",
  firstRunAbout:
    "A run captures screenshots of your pages. The first run has no baselines. Approve it, and later runs are compared with its screenshots.",
  useApi: "Or use the API from a terminal or CI",
  replaceDots: "Replace the dots with an API key of this team:",
  allFields: "See all fields in the API documentation",
} as const;

export const runFormTexts = {
  url: "Site URL",
  pages: "Pages (one per line)",
  widths: "Viewport widths (px)",
  partial: "Check only these pages, and don't report others as removed",
  threshold: "Threshold (%)",
  thresholdHint:
    "Screenshots need review when more than this share of their pixels changed. With 0, every changed pixel counts.",
  thresholdFailure: "Enter a number from 0 to 100.",
  project: "Project",
  projectHint: "The run is compared with this project's baselines. The default is the site's host.",
  branch: "Branch",
  branchHint: "The default is the project's default branch.",
  start: "Start run",
  starting: "Starting…",
} as const;
