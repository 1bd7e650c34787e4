import { z } from "zod";
import { hasStorableYear, list, listQuery, text, time } from "../fields.ts";
import { ROLES } from "../runs/runs.ts";

/** Requests and responses of `/v1` about teams, members, invitations, and activity. */

export const ACTIVITY_TYPES = [
  "team.created",
  "team.renamed",
  "team.settings",
  "team.deleted",
  "team.restored",
  "member.joined",
  "member.changed",
  "member.removed",
  "member.left",
  "invitation.made",
  "invitation.revoked",
  "key.created",
  "key.lowered",
  "key.revoked",
  "session.opened",
  "session.refused",
  "session.ended",
  "sign_in.changed",
  "provider.changed",
  "provider.deleted",
  "scim.created",
  "scim.activated",
  "scim.deactivated",
  "scim.deleted",
  "scim.group_changed",
  "scim.group_deleted",
  "run.approved",
  "run.rejected",
  "run.dismissed",
  "run.assigned",
  "run.canceled",
  "run.rerun",
  "run.links_revoked",
  "proof.started",
  "baseline.restored",
  "project.changed",
  "install.changed",
  "region.accepted",
  "region.changed",
  "region.dismissed",
  "region.removed",
  "configuration.changed",
  "secret.changed",
  "secret.deleted",
  "monitor.created",
  "monitor.changed",
  "monitor.deleted",
  "monitor.snoozed",
  "monitor.unsnoozed",
  "monitor.unsubscribed",
  "status_page.changed",
  "status_page.deleted",
  "maintenance.created",
  "maintenance.ended",
  "incident.acknowledged",
  "incident.assigned",
  "incident.resolved",
  "webhook.created",
  "webhook.changed",
  "webhook.rotated",
  "webhook.paused",
  "webhook.deleted",
  "connection.created",
  "connection.changed",
  "connection.deleted",
  "plan.changed",
  "payment.failed",
  "usage.noticed",
] as const;

const role = z.enum(ROLES);
export const login = z
  .string()
  .trim()
  .regex(/^[\w-]{1,100}$/, "must be a login of the code host: letters, digits, - and _");

/** A team's review settings. */
const teamSettings = {
  requiredApprovals: z.int().min(1).max(10).describe("Approvals that a screenshot needs"),
  allowSelfApproval: z.boolean().describe("Whether submitters can approve their own runs"),
};

/** A team's settings for links that work without an API key. */
const linkSettings = {
  linkDays: z
    .int()
    .min(1)
    .max(365)
    .describe(
      "Days until links expire. Report links: from the run's submission. Image links: from when they are created",
    ),
  publicLinks: z
    .boolean()
    .describe("Whether links open without signing in. If not, only members can open them"),
};

/** A team as its members see it. */
export const teamView = z.object({
  ...teamSettings,
  ...linkSettings,
  id: z.string(),
  name: z.string(),
  role: role.describe("The caller's role in the team"),
  readOnlyBecause: z
    .string()
    .nullable()
    .describe("Why the caller's access is limited to reading although the role allows more, else null"),
  createdAt: time,
  deletesAt: time
    .nullable()
    .describe("When a deleted team is permanently deleted. It can be restored until then"),
});

export const teamList = list(teamView);

export const createdTeam = teamView.extend({
  key: z
    .string()
    .optional()
    .describe("The team's first admin API key, if an API key created the team. It is shown only once"),
});

const added = z
  .strictObject({
    login: login.optional().describe("Login at the code host"),
    email: z
      .email()
      .max(254)
      .optional()
      .describe("Email address that the user has verified at the code host"),
    role,
  })
  .refine(
    member => (member.login === undefined) !== (member.email === undefined),
    "must have either login or email",
  );

/** Body of `POST /v1/teams`. */
export const teamsBody = z
  .strictObject({
    name: text(100).optional().describe("Creates a team with this name"),
    teamId: z.string().max(64).optional().describe("Changes the members of this team"),
    add: z
      .array(added)
      .max(100)
      .optional()
      .describe("Users who have signed in before get the role immediately. Others are invited"),
    remove: z.array(login).max(100).optional().describe("Logins to remove. Use your own login to leave"),
  })
  .superRefine((body, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if ((body.name === undefined) === (body.teamId === undefined))
      fault("name", "must be set to create a team, or teamId to change one. Send only one of them");
    if (body.name !== undefined && (body.add || body.remove))
      fault("add", "and remove can't be combined with name. Create the team first, then send its teamId");
    if (body.teamId !== undefined && !body.add?.length && !body.remove?.length)
      fault("add", "must contain at least one member, or remove must");
    for (const path of duplicatePaths(body))
      context.addIssue({ code: "custom", path, message: "is a duplicate. List each member once" });
  });

/** Returns the paths of repeated logins and addresses, ignoring case. */
function duplicatePaths({
  add = [],
  remove = [],
}: {
  add?: { login?: string | undefined; email?: string | undefined }[] | undefined;
  remove?: string[] | undefined;
}): (string | number)[][] {
  const named = [
    ...add.flatMap(({ login, email }, index) => [
      { name: login, path: ["add", index, "login"] },
      { name: email, path: ["add", index, "email"] },
    ]),
    ...remove.map((name, index) => ({ name, path: ["remove", index] })),
  ];
  const before = new Set<string>();
  return named.flatMap(({ name, path }) => {
    if (name === undefined) return [];
    const isAgain = before.has(name.toLowerCase());
    before.add(name.toLowerCase());
    return isAgain ? [path] : [];
  });
}

/** Body of `PATCH /v1/teams/:id`. */
export const changeTeamBody = z
  .strictObject({ name: text(100), ...teamSettings, ...linkSettings })
  .partial()
  .refine(body => Object.keys(body).length > 0, "must contain at least one field to change");

const memberView = z.object({
  id: z.string(),
  login: z.string().nullable().describe("Null if the login is no longer known"),
  name: z.string().nullable(),
  role,
  managedBy: z
    .enum(["provider", "scim"])
    .nullable()
    .describe(
      "What sets the role: groups of the identity provider at each sign-in, or SCIM. Null if only admins do",
    ),
  readOnlyBecause: z
    .string()
    .nullable()
    .describe("Why the member's access is limited to reading although the role allows more, else null"),
  joinedAt: time,
});

export const memberList = list(memberView);

const invitationView = z.object({
  id: z.string(),
  login: z.string().nullable(),
  email: z.string().nullable(),
  role,
  invitedBy: z.string().describe("Name of the user or API key"),
  createdAt: time,
  expiresAt: time,
});

export const invitationList = list(invitationView);

/** Response of `POST /v1/teams` with a `teamId`. */
export const managedTeam = z.object({
  teamId: z.string(),
  changed: z.array(memberView).describe("Members with their new roles"),
  invited: z.array(invitationView),
  removed: z.array(z.string()).describe("Logins"),
});

export const actor = z.object({
  kind: z.enum(["key", "user", "service"]),
  id: z.string(),
  name: z.string().describe("Name of the API key, login of the user, or name of the monitor"),
});

const activityView = z.object({
  id: z.string(),
  type: z.enum(ACTIVITY_TYPES),
  actor: actor.describe("Who did it, with the name at that time"),
  target: z.string().nullable().describe("Id, login or name of the object"),
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  at: time,
});

const moment = z
  .union([z.iso.date(), z.iso.datetime()], {
    error: "must be a date such as 2026-12-01, or a time such as 2026-12-01T14:30:00Z",
  })
  .refine(hasStorableYear, "must be after the year 0");

const activityFilter = {
  type: z.enum(ACTIVITY_TYPES).optional(),
  actor: z.string().max(64).optional().describe("Id of an API key or user"),
  from: moment.optional().describe("Only entries at or after this time. A date begins at midnight UTC"),
  to: moment.optional().describe("Only entries before this time"),
};

/** Query of `GET /v1/teams/:id/activity`. */
export const listActivityQuery = listQuery.extend(activityFilter);

/** Query of `GET /v1/teams/:id/activity/export`. */
export const exportActivityQuery = z.strictObject({
  format: z
    .enum(["csv", "jsonl"])
    .default("jsonl")
    .describe("`csv`: a table with a header. `jsonl`: one JSON object per line, as in the list"),
  ...activityFilter,
});

export const activityList = list(activityView);

export type ActivityType = (typeof ACTIVITY_TYPES)[number];
export type TeamView = z.infer<typeof teamView>;
export type TeamSettings = Pick<TeamView, "requiredApprovals" | "allowSelfApproval">;
export type ChangeTeam = z.infer<typeof changeTeamBody>;
export type TeamList = z.infer<typeof teamList>;
export type CreatedTeam = z.infer<typeof createdTeam>;
export type TeamsBody = z.infer<typeof teamsBody>;
export type ManageTeam = Pick<z.infer<typeof teamsBody>, "add" | "remove">;
export type ManagedTeam = z.infer<typeof managedTeam>;
export type MemberView = z.infer<typeof memberView>;
export type MemberList = z.infer<typeof memberList>;
export type InvitationView = z.infer<typeof invitationView>;
export type InvitationList = z.infer<typeof invitationList>;
export type ActivityList = z.infer<typeof activityList>;
export type ListActivityQuery = z.infer<typeof listActivityQuery>;
export type ExportActivityQuery = z.infer<typeof exportActivityQuery>;
