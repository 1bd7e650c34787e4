import type { LinkSettings } from "../../links/link-rules.ts";
import type { UsageNotice } from "../billing/usage.ts";
import type { Noted } from "../events.ts";
import type { ListQuery } from "../fields.ts";
import type { Role } from "../runs/runs.ts";
import type { Actor, Identity } from "./caller.ts";
import type { CreatedKey, CreateKey, ExchangedKey, ExchangeToken, KeyList } from "./keys.ts";
import type {
  ActivityList,
  ChangeTeam,
  CreatedTeam,
  InvitationList,
  ListActivityQuery,
  ManagedTeam,
  ManageTeam,
  MemberList,
  TeamList,
  TeamSettings,
  TeamView,
} from "./people.ts";
import type { SessionList } from "./sessions.ts";
import type { SignInPolicy, SignInSettings, TeamProvider, WaysIn, WaysInQuery } from "./sign-in.ts";

/** The parameters and result of an action. */
export interface Action<Params, Result> {
  params: Params;
  result: Result;
}

/** A browser that starts a sign-in. The hash of its secret identifies it when it returns. */
export interface BeginSignIn {
  browserHash: string;
  /** The path of this service to open next. */
  next: string;
}

export interface FinishSignIn {
  state: string;
  code: string;
  browserHash: string;
  /** The hash of the new session's token. */
  tokenHash: string;
  /** The hash of the token of the session that it replaces. */
  before: string | null;
  /** The browser's name, for the owner. */
  browser?: string | null;
}

/** A browser that signs in with a key. */
export interface OpenSession {
  keyHash: string;
  tokenHash: string;
  /** The hash of the token of the session that it replaces. */
  before: string | null;
  browser?: string | null;
}

export type SignInRefusal = "state" | "code" | "unreachable" | "not_invited" | "provider_required";
/** `provider` is the identity provider that the user's teams enforce. */
export type SignedIn =
  | { actor: Actor; next: string }
  | { refusal: SignInRefusal; provider?: string | undefined };

/** A browser that starts a sign-in with an identity provider. */
export interface BeginProviderSignIn extends BeginSignIn {
  /** The provider's id. */
  provider: string;
}

export interface FinishProviderSignIn extends Omit<FinishSignIn, "state" | "code"> {
  provider: string;
  /** The query that the provider sent the browser back with. */
  query: string;
}

/** `other_provider`: all of the user's teams enforce another one. */
export type ProviderSignInRefusal =
  | "state"
  | "unreachable"
  | "denied"
  | "client"
  | "token"
  | "not_invited"
  | "no_seat"
  | "deactivated"
  | "other_provider";
export type ProviderSignedIn = { actor: Actor; next: string } | { refusal: ProviderSignInRefusal };

/** A request of SCIM 2.0. */
export interface ScimRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  resource: "Users" | "Groups" | "ServiceProviderConfig" | "ResourceTypes" | "Schemas";
  /** Null for a list. */
  id: string | null;
  query: Record<string, string>;
  body: unknown;
}

/** A response of SCIM 2.0. A body of null is none. */
export interface ScimAnswer {
  status: number;
  body: object | null;
}

/** Why a logout token is refused. `unavailable`: the provider may send it again. */
export type LogoutRefusal = { kind: "unknown" | "invalid" | "unavailable"; message: string };

type Nothing = Record<string, never>;

/** Actions of the teams service. Keys and cookies are sent only as hashes. */
export interface TeamActions {
  /** Null for an unknown or revoked key. */
  "teams.authenticate": Action<{ keyHash: string }, Identity | null>;
  /** Null for an unknown or expired session. */
  "teams.authenticateSession": Action<{ tokenHash: string }, Identity | null>;
  /** Returns which of these hashes belong to a valid key or a session. */
  "teams.knownCredentials": Action<{ hashes: string[] }, string[]>;
  /** Signs a browser in with a key and replaces its session. Null for an invalid key. */
  "teams.openSession": Action<OpenSession, Identity | null>;
  /** Replaces a session's token if it is old enough. @returns whether it was */
  "teams.renewSession": Action<{ tokenHash: string; newHash: string }, boolean>;
  /** Lists the actor's sessions. `current` is the calling session, or null for a key. */
  "teams.sessions": Action<ListQuery & { current: string | null }, SessionList>;
  "teams.closeSession": Action<{ id: string }, null>;
  /** Deletes all of the actor's sessions except this one. */
  "teams.closeOtherSessions": Action<{ current: string | null }, null>;
  /** Returns how users can sign in. */
  "teams.waysIn": Action<WaysInQuery, WaysIn>;
  /** Null for an unknown provider. */
  "teams.beginProviderSignIn": Action<
    BeginProviderSignIn,
    { url: string } | { refusal: ProviderSignInRefusal } | null
  >;
  "teams.finishProviderSignIn": Action<FinishProviderSignIn, ProviderSignedIn | null>;
  /** Ends the sessions that a provider's logout token names. Returns why not, or null. */
  "teams.endProviderSessions": Action<{ provider: string; token: string }, LogoutRefusal | null>;
  /** Ends the actor's session. Returns the provider's URL that signs the user out there, or null. */
  "teams.signOut": Action<{ id: string; returnUrl: string }, { signOutUrl: string | null }>;
  /** Ends all sessions of a member. */
  "teams.signOutMember": Action<{ member: string }, null>;
  "teams.signInSettings": Action<Nothing, SignInSettings>;
  "teams.changeSignInPolicy": Action<SignInPolicy, SignInSettings>;
  "teams.changeProvider": Action<TeamProvider, SignInSettings>;
  "teams.deleteProvider": Action<Nothing, null>;
  /** Handles a request of the identity provider, for the team of its key. */
  "teams.scim": Action<ScimRequest, ScimAnswer>;
  /** Null without a code host. */
  "teams.beginSignIn": Action<BeginSignIn, { url: string } | null>;
  "teams.finishSignIn": Action<FinishSignIn, SignedIn | null>;
  "teams.createKey": Action<CreateKey, CreatedKey>;
  "teams.exchangeToken": Action<ExchangeToken, ExchangedKey>;
  "teams.listKeys": Action<ListQuery, KeyList>;
  "teams.revokeKey": Action<{ id: string }, null>;

  /** Lists the actor's teams, for any caller's team. */
  "teams.list": Action<ListQuery, TeamList>;
  "teams.create": Action<{ name: string }, CreatedTeam>;
  "teams.manage": Action<ManageTeam, ManagedTeam>;
  "teams.change": Action<ChangeTeam, TeamView>;
  "teams.settings": Action<{ teamId: string }, TeamSettings>;
  /** Null for a deleted team. */
  "teams.linkSettings": Action<{ teamId: string }, LinkSettings | null>;
  /** Returns the names of some members who can approve, except one. */
  "teams.reviewers": Action<{ teamId: string; except: string }, string[]>;
  /** Returns which of these teams exist, including restorable ones. */
  "teams.existing": Action<{ ids: string[] }, string[]>;
  "teams.delete": Action<Nothing, TeamView>;
  "teams.restore": Action<Nothing, TeamView>;
  "teams.leave": Action<Nothing, null>;
  /** Returns whether the team exists and is not deleted. */
  "teams.isOpen": Action<{ teamId: string }, boolean>;
  "teams.members": Action<ListQuery, MemberList>;
  /** Returns the team's name, and its admins' known email addresses. */
  "teams.adminAddresses": Action<{ teamId: string }, { name: string; addresses: string[] }>;
  /** Returns the member with this account's number at the code host, or null. Closed: only the provider signs in. */
  "teams.memberByAccount": Action<
    { teamId: string; hostId: string },
    { actor: Actor; role: Role; isClosed?: true } | null
  >;
  /** Returns the member with this id and the current role, or null. Closed: the team enforces another provider. */
  "teams.memberById": Action<
    { teamId: string; userId: string; provider: string | null },
    { actor: Actor; role: Role; isClosed?: true } | null
  >;
  /** Returns the number of used seats, by members and valid invitations. */
  "teams.countPlaces": Action<{ teamId: string }, number>;
  "teams.invitations": Action<ListQuery, InvitationList>;
  "teams.revokeInvitation": Action<{ id: string }, null>;
  /** Notes a service's change in a team's activity, once for any number of repeats. */
  "teams.note": Action<Noted, null>;
  /** Notes the usage of an allowance in the same way. */
  "teams.noteUsage": Action<UsageNotice, null>;
  "teams.activity": Action<ListActivityQuery, ActivityList>;
}
