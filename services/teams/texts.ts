import { dateInWords } from "../../shared/text/dates.ts";
import { count, figure } from "../../shared/text/format.ts";

/** The texts of the teams service that its users read. */

export const TEAM_ERRORS = {
  lastAdmin: "The team needs at least one admin. Give the role to another member or API key first.",
  needsRole: (least: string, role: string, why: string) =>
    `This requires the role ${least}, but your role is ${role}. ${why || "Ask a team admin to change it."}`,
  keyCannotLeave: "An API key is not a member, so it can't leave the team. Revoke the key.",
  seatsFull: (limit: number, used: number, missing: number) =>
    `The plan allows ${count(limit, "member")}, including invitations. Your team has ${figure(used)}, and this needs ${figure(missing)} more. Remove members or upgrade the plan.`,
  providerRequired: (team: string) =>
    `The team ${team} only allows sign-in with its identity provider. Open the sign-in page and use the provider's button. Operators can sign in with the bootstrap key if the provider fails.`,
  memberElsewhere: (name: string) =>
    `${name} is also a member of other teams, so this team can't end the sessions. Remove ${name} from the team instead.`,
  /** Why a member can only read. */
  noSeat: (seats: number) =>
    `The team has more members than the ${figure(seats)} that its plan allows. Admins and the earliest members keep their access, and all others can only read. Remove members or upgrade the plan.`,
  tooManyTeams: (most: number, days: number) =>
    `You can create at most ${figure(most)} teams. Delete one first. A deleted team counts for ${count(days, "more day")}.`,
  noTeam: "You aren't a member of any team. Ask a team admin to invite you.",
  keyNeedsAdmin: "Only API keys with the role admin can create teams.",
  scimKeySignsIn: "This API key can only provision users by SCIM. Sign in with another API key.",
  uploadKeySignsIn: "This API key can only upload builds and archives. Sign in with another API key.",
  keyWithoutUser:
    "This API key belongs to no user who could become the new team's admin. Sign in and create the team in the dashboard, or ask the operator.",
  defaultTeam: "This is the service's own team, which can't be deleted.",
};

export const PROVIDER_ERRORS = {
  noProvider:
    "This team has no identity provider. Add one first, or ask the operator to set SERVICE_OIDC_ISSUER.",
  signInFirst:
    "Sign in with the identity provider once before you enforce it, so that you don't lock yourself out. Then enforce it in that session.",
  secretMissing: "is required for a new provider, and for another issuer or client id",
  unusable: (why: string) => `can't be used: ${why}`,
  notHttps: "must be an https URL",
  noQuery: "must have no query and no fragment",
  enforced: "Members of this team can only sign in with this provider. Stop enforcing it first.",
};

/** How a provider authenticates. */
export const SCIM_TOKEN = "An API key with the scope scim, in the header Authorization";

export const SCIM_ERRORS = {
  noResource: (name: string) => `There is no resource ${name}. Use Users or Groups.`,
  notFound: (id: string) => `There is no resource with the id ${id}. Create it again.`,
  value: "The value",
  controls: "must not contain control characters",
  flag: "must be true or false",
  filter: (at: string) => `The filter is not supported at: ${at}. Use comparisons with eq, joined by and.`,
  filterAttribute: (name: string) =>
    `The attribute ${name} can't be compared with this value. Compare userName, externalId or displayName with a text.`,
  number: (value: string) => `The value ${value} is not an integer. Send a whole number.`,
  path: (path: string) => `The path ${path} is not supported. Send the whole attribute.`,
  emails: (most: number) => `A user can have at most ${most} emails. Remove some of them.`,
  members: (most: number) =>
    `A group can have at most ${most} members. Use several groups with the same role.`,
  userNameRequired: "The attribute userName can't be removed. Replace it.",
  displayNameRequired: "The attribute displayName can't be removed. Replace it.",
  userNameTaken: (name: string) => `Another user has the userName ${name}. Use another, or change that user.`,
  groupNameTaken: (name: string) =>
    `Another group has the displayName ${name}. Use another, or change that group.`,
};

export const LOGOUT_ERRORS = {
  noProvider: "There is no such identity provider. Check the back-channel logout URI.",
  claims: "The token lacks a claim of a logout token, or has a nonce.",
  repeated: "This logout token was used before. Send a new one.",
  noKeys: "The keys of the provider can't be read. Send the token again.",
};

export const TOKEN_ERRORS = {
  invalid: (issuer: string) => `This is no valid token of ${issuer}. Send the OIDC token of the CI job.`,
  claim: (claim: string, issuer: string) =>
    `The claim ${claim} of this token is not valid. Send the OIDC token of a running CI job, from ${issuer}.`,
  audience: (audience: string) =>
    `This token is for another audience. Request it with the audience ${audience}.`,
  expired: "This token has expired. Request another one.",
  used: "This token was exchanged before. Request another one.",
  noRepository: "This token names no repository. Send the OIDC token of a GitHub Actions job.",
  noKey: (repository: string, project: string) =>
    `No API key lets the repository ${repository} upload to the project ${project} of this team. A team admin can create one with the scope upload on the API keys page.`,
  issuerFails: (issuer: string, why: string) =>
    `The keys of ${issuer} can't be read: ${why}. Retry in a minute.`,
};

export const INVITATION_MAIL = {
  subject: (invitedBy: string, team: string) => `${invitedBy} invited you to ${team}`,
  invited: (invitedBy: string, team: string, role: string) =>
    `${invitedBy} invited you to join the team ${team} as ${role === "admin" ? "an admin" : `a ${role}`}. The team uses vrs to review visual changes of its web pages.`,
  accept: (email: string, expiresAt: Date) =>
    `To join, sign in with an account that has the verified address ${email}. The invitation expires on ${dateInWords(expiresAt)} (UTC).`,
  ignore: "If you don't know this team, ignore this email.",
  button: "Sign in",
};

export const firstKeyLine = (key: string) => `Admin API key (shown only once): ${key}`;

/** The log messages for operators. */
export const LOG_MESSAGES = {
  planNotRead: (team: string) => `The plan of ${team} could not be read. The service will retry.`,
  plansNotRead: "The teams' plans could not be read. The service will retry.",
  invitationsNotMailed: "Invitations could not be mailed. The service will retry.",
  notMailed: (invitation: string) => `${invitation} could not be mailed. The service will retry.`,
  signInRejected: (why: string) => `The code host rejected a sign-in: ${why}`,
  providerFailed: (provider: string, why: string) =>
    `A request to the identity provider ${provider} failed: ${why}`,
  rowsNotDeleted: "Expired rows could not be deleted. The service will retry.",
};

export const NOTICE_ERRORS = {
  noUser: "This API key belongs to no user, so it has no notifications. Sign in as a user instead.",
};
