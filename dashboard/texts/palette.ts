/** Texts of the command palette. */
export const paletteTexts = {
  title: "Go to a page or run an action",
  open: "Go to",
  openTitle: "Go to a page or run an action (Ctrl+K or Cmd+K)",
  shortcut: "Ctrl K",
  search: "Find a run, project, page or action",
  none: "Nothing matches. Type part of a project, branch, commit or page name.",
  kinds: { action: "Action", page: "Page", filter: "Filter", project: "Project", run: "Run" },
  startRun: "Start a run",
  newMonitor: "Create a monitor",
  needsReview: "Runs that need review",
  runsOf: (project: string) => `Runs of ${project}`,
  baselinesOf: (project: string) => `Baselines of ${project}`,
  openRun: (id: string) => `Open ${id}`,
} as const;
