import type { ProjectSection } from "../configuration/sections.ts";
import { plural } from "./format.ts";

/** Texts of a project's settings besides its stored configuration. */
export const projectSettingTexts = {
  thing: "the project's settings",
  names: {
    pages: "Pages and threshold",
    elements: "Elements",
    regions: "Ignore regions",
    "ignore-rules": "Ignore rules",
    environments: "Environments",
    sessions: "Sessions",
    secrets: "Secrets",
    perRoute: "Single routes",
    branches: "Branches",
    reviews: "Reviews",
    "reviewer-rules": "Reviewers by rule",
    notifications: "Notifications",
    threads: "Pull request threads",
    retention: "Retention",
    links: "Shared links",
    schedules: "Schedules",
  } satisfies Record<ProjectSection, string>,
  noRun: "More settings appear here after the project's first run.",
  forAdmins: "Team admins can change this.",
  save: "Save",
  saveLabel: (section: string) => `Save ${section.toLowerCase()}`,
  saving: "Saving…",
  saved: (section: string) => `${section} saved.`,

  branchesAbout:
    "The default branch provides the baselines of all other branches. Its current baselines are copied to the new default branch, for pages without one there.",
  defaultBranch: "Default branch",
  defaultBranchHint: "Runs of a connected repository set it to the repository's default branch.",
  branchList: "Branches with baselines",
  noBranches: "No branch has baselines yet. They appear here once a reviewer approves a run.",
  isDefault: "default",
  openBaselines: "View baselines",

  reviewsAbout: (from: string | null) =>
    from === null
      ? "These settings replace the team's for this project."
      : `These settings replace those of ${from} for this named build.`,
  approvals: "Approvals per screenshot",
  selfApproval: "Approval of own runs",
  inherited: (from: string | null, setting: string) =>
    from === null ? `Team's setting (${setting})` : `Setting of ${from} (${setting})`,
  rulesOfBase: "Runs of this named build get the reviewers in the {link}.",
  settingsOf: (project: string) => `settings of ${project}`,
  approvalsOf: (count: number) => plural(count, "approval"),
  allowed: "Allowed",
  refused: "Not allowed",
  current: (approvals: string, self: string) => `${approvals} per screenshot. Approval of own runs: ${self}.`,

  retentionAbout:
    "Older runs are deleted with their screenshots. Current baselines stay, however old they are.",
  retention: "Days to keep runs",
  retentionHint: (most: number, from: string | null, days: number) =>
    `1 to ${most}. Empty: ${from === null ? "the plan's" : `${from}'s`} ${plural(days, "day")}.`,
  kept: (days: number) => `Runs are kept for ${plural(days, "day")}.`,

  linksAbout:
    "Links to reports and images open without signing in, if the team allows it. They expire after some days.",
  links: "Days until links expire",
  linksHint: (from: string | null, days: number) =>
    `1 to 365. Empty: ${from === null ? "the team's" : `${from}'s`} ${plural(days, "day")}.`,
  expire: (days: number) => `Links expire after ${plural(days, "day")}.`,
  membersOnly: "Only members can open links of this team, so links of this project stay private.",
  teamLinks: "The team's settings",

  ofBase: "Messages about this named build go where the {link} say.",
  mail: "Members also get emails about runs that they review, or about all runs if they want. {link} to change yours.",
  mailLink: "Go to your account",
  webhooks: "Programs get events by {link} of the team.",
  webhooksLink: "webhooks",
} as const;
