import { z } from "zod";
import { list, listQuery, text, time } from "./fields.ts";
import { ROLES } from "./http.ts";

/** Bodies, queries and answers of `/v1` about people: teams, members, invitations, sessions, activity. */

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
  "run.approved",
  "run.rejected",
  "run.dismissed",
  "run.canceled",
  "run.links_revoked",
  "baseline.restored",
  "project.changed",
  "region.accepted",
  "region.dismissed",
  "region.removed",
  "monitor.created",
  "monitor.changed",
  "monitor.deleted",
  "monitor.snoozed",
  "monitor.unsnoozed",
  "monitor.unsubscribed",
  "plan.changed",
  "payment.failed",
  "usage.noticed",
] as const;

const role = z.enum(ROLES);
const login = z
  .string()
  .trim()
  .regex(/^[\w-]{1,100}$/, "must be a login at the code host");

/** What a team asks of reviews. */
const teamSettings = {
  requiredApprovals: z
    .int()
    .min(1)
    .max(10)
    .describe("People and keys who must approve a screenshot before it is approved"),
  allowSelfApproval: z.boolean().describe("Whether who submitted a run may approve it"),
};

/** What a team decides about links that open without an API key. */
const linkSettings = {
  linkDays: z
    .int()
    .min(1)
    .max(365)
    .describe(
      "Days that links open: a report's from its run's submission, an image's from when it was handed out",
    ),
  publicLinks: z.boolean().describe("Whether links open without signing in; else only for members"),
};

/** A team as its members see it. */
export const teamView = z.object({
  ...teamSettings,
  ...linkSettings,
  id: z.string(),
  name: z.string(),
  role: role.describe("What the caller is in it, and may do there"),
  readOnlyBecause: z
    .string()
    .nullable()
    .describe(`Why the caller may only read there; null when it is her role's`),
  createdAt: time,
  deletesAt: time.nullable().describe("When a deleted team is gone for good; until then it can be restored"),
});

export const teamList = list(teamView);

export const createdTeam = teamView.extend({
  key: z
    .string()
    .optional()
    .describe("The team's first admin key, where a key made the team; it is shown this once"),
});

const added = z
  .strictObject({
    login: login.optional().describe("At the code host"),
    email: z.email().max(254).optional().describe("One that the person has verified at the code host"),
    role,
  })
  .refine(
    member => (member.login === undefined) !== (member.email === undefined),
    "must have login or email, one of them",
  );

/** Body of `POST /v1/teams`. */
export const teamsBody = z
  .strictObject({
    name: text(100).optional().describe("Creates a team of this name"),
    teamId: z.string().max(64).optional().describe("Changes the members of this team"),
    add: z
      .array(added)
      .max(100)
      .optional()
      .describe("Who has signed in before gets the role at once; others are invited"),
    remove: z.array(login).max(100).optional().describe("Logins; one's own to leave"),
  })
  .superRefine((body, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if ((body.name === undefined) === (body.teamId === undefined))
      fault("name", "to create a team or teamId to change one must be given, and not both");
    if (body.name !== undefined && (body.add || body.remove))
      fault("add", "and remove are for a team that exists; create it first, then name its teamId");
    if (body.teamId !== undefined && !body.add?.length && !body.remove?.length)
      fault("add", "or remove must name somebody");
    for (const path of namedAgain(body))
      context.addIssue({ code: "custom", path, message: "is named already; name everybody once" });
  });

/** Where somebody is named again, to be added or removed: logins and addresses are the same in upper and lower case. */
function namedAgain({
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
  .refine(body => Object.keys(body).length > 0, "must name something to change");

const memberView = z.object({
  id: z.string(),
  login: z.string().nullable().describe("Null when the account's login is not known any more"),
  name: z.string().nullable(),
  role,
  readOnlyBecause: z
    .string()
    .nullable()
    .describe("Why the member may only read, whatever her role; else null"),
  joinedAt: time,
});

export const memberList = list(memberView);

const invitationView = z.object({
  id: z.string(),
  login: z.string().nullable(),
  email: z.string().nullable(),
  role,
  invitedBy: z.string().describe("Name of the person or key"),
  createdAt: time,
  expiresAt: time,
});

export const invitationList = list(invitationView);

/** Answer to `POST /v1/teams` with a `teamId`. */
export const managedTeam = z.object({
  teamId: z.string(),
  changed: z.array(memberView).describe("Members with the role that they have now"),
  invited: z.array(invitationView),
  removed: z.array(z.string()).describe("Logins"),
});

const actor = z.object({
  kind: z.enum(["key", "user", "service"]),
  id: z.string(),
  name: z.string().describe("The key's name, the person's login, the monitor's name"),
});

const activityView = z.object({
  id: z.string(),
  type: z.enum(ACTIVITY_TYPES),
  actor: actor.describe("As named then"),
  target: z.string().nullable().describe("What it was done to: an id, a login, a name"),
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  at: time,
});

/** Query of `GET /v1/teams/:id/activity`. */
export const listActivityQuery = listQuery.extend({
  type: z.enum(ACTIVITY_TYPES).optional(),
  actor: z.string().max(64).optional().describe("Id of a key or person"),
});

export const activityList = list(activityView);

/** Who asks, as `GET /v1/session` answers it. */
export const sessionView = z.object({
  actor,
  countsAs: z.string().describe("Whom the caller's reviews count as: who made the key, else the actor"),
  team: teamView.nullable().describe("The one that is asked about unless another is named; null for none"),
  teams: z.array(teamView),
  expiresAt: time.nullable().describe("When the session ends unless it is used; null for a key"),
});

export const sessionList = list(
  z.object({
    id: z.string(),
    createdAt: time,
    usedAt: time.describe("To the hour"),
    expiresAt: time,
    browser: z.string().nullable().describe("As `Firefox on Linux`; null where it did not say"),
    current: z.boolean().describe("Whether it is the one that asks"),
  }),
);

const answered = (meaning: string) => z.string().max(2000).optional().catch(undefined).describe(meaning);

/** Query of `GET /auth/login`; a bad one is as good as none. */
export const loginQuery = z.looseObject({ next: answered("Path of this service to go to then") });

/** Query of `GET /auth/callback`, which the code host makes. */
export const callbackQuery = z.looseObject({
  code: answered("For whoever has the client's secret"),
  state: answered("Of the sign-in that was begun"),
  error: answered("Why there is no code"),
});

/** Answer of `GET /v1/sign-in`. */
export const waysIn = z.object({
  codeHost: z.boolean().describe("Whether /auth/login leads to a code host; an API key always does"),
});

export const signInBody = z.strictObject({ apiKey: z.string().min(1).max(200) });

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
export type SessionList = z.infer<typeof sessionList>;
export type LoginQuery = z.infer<typeof loginQuery>;
export type CallbackQuery = z.infer<typeof callbackQuery>;
export type WaysIn = z.infer<typeof waysIn>;
export type SessionView = z.infer<typeof sessionView>;
