import type { ActivityType, ManagedTeam } from "../../../shared/contracts/teams/people.ts";
import { plural } from "../format.ts";

/** Texts of the pages about the account, the team, and its API keys. */
export const settingsTexts = {
  titles: {
    account: "Your account",
    team: "Team",
    "sign-in": "Sign-in",
    keys: "API keys",
    notifications: "Notifications",
    repositories: "Repositories",
    webhooks: "Webhooks",
    transfer: "Export and import",
    usage: "Plan and usage",
    nodes: "Nodes",
    "code-host": "Code host",
  },
  noTeam: (name: string) => `You aren't in a team yet. Ask a team admin to add ${name}.`,
  keysForAdmins: (team: string) => `Only admins of ${team} can manage its API keys.`,
  nodesForOperators:
    "Only operators of this service can view its nodes. They are admins of the default team.",
  codeHostForOperators:
    "Only operators of this service can set up its code-host app. They are admins of the default team.",
} as const;

export const accountTexts = {
  withKey: "Signed in with an API key. Everyone who uses this key shares this account.",
  withCodeHost: "Signed in with the code host.",
  withProvider: "Signed in with the identity provider.",
  sessions: "Sessions",
  signOutOthers: "Sign out other sessions",
  more: "Show more sessions",
  unknownBrowser: "Unknown browser",
  sessionTimes: "Signed in {created} · expires {expires} if unused",
  used: "Used {time}",
  thisBrowser: "This browser",
  signOut: "Sign out",

  appearance: "Appearance",
  theme: "Theme",
  themeHint: "Applies to this browser.",
  themes: { system: "Same as the system", light: "Light", dark: "Dark" },

  teams: "Teams",
  deleted: "Deleted",
  currentTeam: "Current team",
  switch: "Switch to team",
  leave: "Leave team…",
  leaveTitle: (team: string) => `Leave “${team}”?`,
  leaveAbout: "You lose access to this team. API keys that you created in it stop working.",
  stay: "Stay in team",
  confirmLeave: "Leave team",
  left: (team: string) => `You left ${team}.`,
  newTeam: "New team name",
  createTeam: "Create team",
  firstKeyTitle: (team: string) => `First API key of “${team}”`,
  firstKeyAbout: "Copy the key now. It is shown only once. It makes its owner an admin of the new team.",
} as const;

export const keysTexts = {
  title: "API keys",
  about: "Use API keys in CI and with the API. A key belongs to the team and has at most its creator's role.",
  name: "Name",
  namePlaceholder: "Shop CI",
  create: "Create key",
  createdTitle: (name: string) => `API key “${name}”`,
  createdAbout: (access: string) => `Copy the key now. It is shown only once. Access: ${access}.`,
  upload: "Upload: can only upload screenshots to one project",
  provisions: "Provisions members by SCIM",
  uploadsTo: (project: string) => `Uploads to ${project}`,
  project: "Project",
  repository: "Repository with GitHub Actions (optional)",
  projectPlaceholder: "owner/repository",
  empty: "No API keys yet. Keys that you create above appear here.",
  more: "Show more keys",
  keyFacts: "{access} · {tail}",
  tail: (tail: string) => `…${tail}`,
  created: "Created {time}",
  used: "Used {time}",
  neverUsed: "Never used",
  expiry: "Expires",
  never: "Never",
  inDays: (days: number) => `In ${days} days`,
  expires: "Expires {time}",
  expired: "Expired {time}",
  revoke: "Revoke key",
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeAbout: "Requests with this key fail from now on. You can't undo this, but you can create a new key.",
  keep: "Keep key",
} as const;

export const roleTexts = {
  role: "Role",
  viewer: "Viewer: can read",
  reviewer: "Reviewer: can also submit and review runs",
  admin: "Admin: can also manage the team",
} as const;

export const teamTexts = {
  members: "Members",
  more: "Show more members",
  noMembers: "No members yet. Members appear here when they sign in.",
  cantInvite:
    "You can't invite members because this service has no code host and no identity provider. {how}",
  createKey: "Create an {link} for each of them to sign in with.",
  apiKey: "API key",
  adminsCreateKeys: "Members sign in with API keys that team admins create.",
  login: "Username or email address",
  add: "Add member",
  unknownMember: "Unknown user",
  joined: "Joined {time}",
  remove: "Remove member",
  confirmRemove: (name: string) => `Yes, remove ${name}`,

  invitations: "Invitations",
  invitationsAbout: "Invited people join the team when they sign in.",
  invitedBy: (role: string, name: string) => `${role} · invited by ${name}`,
  expires: "Expires {time}",
  revokeInvitation: "Revoke invitation",

  reviews: "Reviews",
  requiredApprovals: (n: number) => `A screenshot needs ${plural(n, "approval")}.`,
  selfApproval: (isAllowed: boolean) =>
    isAllowed
      ? "Submitters can approve their own runs."
      : "Submitters can't approve their own runs, but they can reject them.",
  approvals: "Required approvals",
  allowSelfApproval: "Submitters can approve their own runs",
  saveReviews: "Save review settings",
  reviewsSaved: "Review settings saved. They apply to the next review of each undecided screenshot.",

  links: "Links",
  publicLinks: (days: number) =>
    `Anyone with a link to a report or an image can open it for ${plural(days, "day")}.`,
  memberLinks: "Only team members can open links to reports and images.",
  membersAlways: "Signed-in members can open them at any time.",
  linkDays: "Days until links expire",
  linksArePublic: "Links open without signing in",
  saveLinks: "Save link settings",
  linksSaved: "Link settings saved. They apply to existing links too.",

  nameSection: "Name",
  name: "Team name",
  rename: "Rename team",
  renamed: "Team renamed.",
} as const;

/** Describes a change of a team's members. @param sendsEmail whether the service has a mail server */
export function membersChanged({ changed, invited, removed }: ManagedTeam, sendsEmail: boolean): string {
  const names = [...changed.map(({ login }) => login), ...removed].join(", ");
  if (invited.length === 0) return `Members changed: ${names}.`;
  // Invitations by username have no email address.
  const isEmailed = invited.every(({ email }) => email !== null) && sendsEmail;
  return isEmailed
    ? "Invitation created. An email will follow."
    : "Invitation created. No email is sent, so ask the person to sign in.";
}

export const activityTexts = {
  title: "Activity",
  empty: "No activity yet. Changes to the team appear here.",
  older: "Show older activity",
  noMatch: "No activity matches the filter.",
  type: "Type",
  allTypes: "All types",
  from: "From",
  before: "Before",
  export: "Export: {csv} · {jsonl}",
  csv: "CSV",
  jsonl: "JSON lines",
  run: "a run",
  runOf: (project: string) => `a run of ${project}`,
  detail: (name: string, value: unknown) => `${name}: ${value}`,
} as const;

/** Verbs of activities, between the names of the actor and the target. */
export const activityVerbs: Record<ActivityType, string> = {
  "team.created": "created the team",
  "team.renamed": "renamed the team",
  "team.settings": "changed the team settings",
  "team.deleted": "deleted the team",
  "team.restored": "restored the team",
  "member.joined": "joined",
  "member.changed": "changed the role of",
  "member.removed": "removed",
  "member.left": "left",
  "invitation.made": "invited",
  "invitation.revoked": "revoked the invitation of",
  "key.created": "created the API key",
  "key.lowered": "lowered the role of the API key",
  "key.revoked": "revoked the API key",
  "session.opened": "signed in",
  "session.refused": "refused the sign-in of",
  "session.ended": "signed out",
  "sign_in.changed": "changed the sign-in of",
  "provider.changed": "changed the identity provider",
  "provider.deleted": "deleted the identity provider",
  "scim.created": "provisioned",
  "scim.activated": "activated",
  "scim.deactivated": "deactivated",
  "scim.deleted": "deleted the provisioned user",
  "scim.group_changed": "provisioned the group",
  "scim.group_deleted": "deleted the group",
  "run.approved": "approved screenshots in",
  "run.rejected": "rejected screenshots in",
  "run.dismissed": "dismissed reviews in",
  "run.assigned": "changed the reviewers of",
  "run.canceled": "canceled",
  "run.rerun": "repeated",
  "proof.started": "started to prove a cause in",
  "run.links_revoked": "revoked the links of",
  "baseline.restored": "restored a baseline approved in",
  "project.changed": "changed the project",
  "install.changed": "changed the preview settings of",
  "region.accepted": "added an ignore rule to",
  "region.changed": "changed an ignore rule of",
  "region.dismissed": "dismissed a suggested ignore region in",
  "region.removed": "removed an ignore rule from",
  "configuration.changed": "changed the configuration of",
  "secret.changed": "set a secret of",
  "secret.deleted": "deleted a secret of",
  "webhook.created": "created the webhook",
  "webhook.changed": "changed the webhook",
  "webhook.rotated": "rotated the secret of the webhook",
  "webhook.paused": "paused the failing webhook",
  "webhook.deleted": "deleted the webhook",
  "connection.created": "connected the repository",
  "connection.changed": "changed the connection of the repository",
  "connection.deleted": "disconnected the repository",
  "monitor.created": "created the monitor",
  "monitor.changed": "changed the monitor",
  "monitor.deleted": "deleted the monitor",
  "monitor.snoozed": "snoozed the monitor",
  "monitor.unsnoozed": "ended the snooze of the monitor",
  "monitor.unsubscribed": "unsubscribed from emails of the monitor",
  "status_page.changed": "changed the status page",
  "status_page.deleted": "deleted the status page",
  "maintenance.created": "planned the maintenance",
  "maintenance.ended": "ended the maintenance",
  "incident.acknowledged": "acknowledged the incident",
  "incident.assigned": "changed the assignee of the incident",
  "incident.resolved": "resolved the incident",
  "plan.changed": "changed the plan",
  "payment.failed": "reported a failed payment",
  "usage.noticed": "reported the usage of the plan",
};

/** Names of the types of activity for a filter, such as `Run approved`. */
export const activityNames: Record<string, string> = Object.fromEntries(
  Object.keys(activityVerbs).map(type => {
    const words = type.replaceAll(/[._]/g, " ");
    return [type, `${words.charAt(0).toUpperCase()}${words.slice(1)}`];
  }),
);
