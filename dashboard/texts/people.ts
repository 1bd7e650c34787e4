import { number, plural } from "./format.ts";

/** Texts of the inbox. `{name}` stands for an element that the page inserts. */
export const inboxTexts = {
  title: "Inbox",
  thing: "your inbox",
  waiting: (n: number) => `${plural(n, "run")} waiting for you`,
  many: "99+",
  filter: "Filter the inbox",
  filters: { mine: "For you", all: "All that need review", mentions: "Mentions" },
  counted: (label: string, n: number) => (n === 0 ? label : `${label} (${n >= 100 ? "99+" : number(n)})`),
  project: "Project",
  allProjects: "All projects",
  open: (n: number) => `${plural(n, "screenshot")} to review`,
  nothingOpen: "No open screenshots",
  review: "Review",
  moreScreenshots: (n: number) => `+${number(n)}`,
  superseded: (n: number) => `Replaces ${plural(n, "earlier run")}`,
  earlier: "Earlier runs",
  by: (author: string) => `by ${author}`,
  noCommit: "No commit message",
  mentioned: (by: string) => `${by} mentioned you:`,
  older: "Show older runs",
  keys: "Press ↑ ↓ to move, Enter to review, and 1 2 3 to filter.",
  empty: {
    mine: "Nothing is waiting for you",
    all: "No run needs review",
    mentions: "No open mentions",
  },
  emptyAbout: {
    mine: "Runs appear here when you are assigned as a reviewer, or a comment mentions you.",
    all: "Runs with changed or new screenshots appear here until they are approved or rejected.",
    mentions:
      "Open threads in which a comment mentions you appear here. Answer or resolve a thread to remove it.",
  },
  emptyRules: "Assign reviewers on a run's page, or by rule in a project's settings. Or use the API:",
  emptyMention: "To mention a member, write @ and their login in a comment.",
  seeAll: "Show all that need review",
} as const;

/** Texts of reviewers: of a run, and by rule. */
export const reviewerTexts = {
  loading: "…",
  title: "Reviewers",
  none: "None",
  assign: "Assign reviewers",
  change: "Change reviewers",
  dialog: "Assign reviewers",
  about: "Reviewers find the run in their inbox, and get an email if they want one.",
  noMembers: "No members can review yet. Invite members on the team page.",
  save: "Save reviewers",
  saved: "Reviewers saved.",
  byRule: "by rule",
  rules: "Reviewers by rule",
  rulesAbout:
    "When a run ends, these rules assign reviewers by the routes of pages that need review. `*` stands for any text.",
  rulesThing: "the reviewer rules",
  noRules: "No rules yet. Without rules, assign reviewers on each run's page.",
  routes: "Routes (one per line)",
  routesExample: "/checkout*",
  reviewers: "Reviewers (logins, separated by commas)",
  addRule: "Add rule",
  removeRule: (index: number) => `Remove rule ${number(index)}`,
  rule: (index: number) => `Rule ${number(index)}`,
  saveRules: "Save rules",
  rulesSaved: "Rules saved. They apply to runs that end from now on.",
  forAdmins: "Team admins can change these rules.",
  to: "→",
} as const;

/** Texts of the setting that shows threads on pull requests. */
export const mirrorTexts = {
  title: "Threads on pull requests",
  about:
    "A thread of a review gets a comment on its pull request. Quote that comment there to reply in the thread.",
  thing: "the project",
  label: "Show threads on pull requests",
  settings: {
    private: "In private repositories",
    always: "In all repositories, also public ones",
    never: "Never",
  },
  saved: "Setting saved.",
} as const;

/** Texts of notifications: of a person, and of a project's chat channel. */
export const noticeTexts = {
  title: "Email notifications",
  thing: "your notifications",
  address: (email: string) =>
    `Emails go to ${email}. You get one email per run, a few minutes after the first event.`,
  noAddress:
    "Your code host or identity provider shared no verified email address, so you get no emails. Verify one there, and sign in again.",
  noUser: "This API key belongs to no user, so it gets no notifications.",
  reviews: "Runs that need review",
  reviewChoices: { assigned: "Only those assigned to me", all: "All of my teams", none: "None" },
  mentions: "Comments that mention me, and replies in my threads",
  decisions: "Decisions on my runs and pull requests",
  monitors: "Monitors of my teams that are down",
  saved: "Notifications saved.",
  chat: "Chat channel",
  chatAbout:
    "This channel gets a message for each run of this project that needs review or is decided. It also gets comments that mention members.",
  chatThing: "the chat channel",
  chatNone: "No chat channel is set.",
} as const;

/** Texts of mentions in comments. */
export const mentionTexts = {
  members: "Members to mention",
} as const;
