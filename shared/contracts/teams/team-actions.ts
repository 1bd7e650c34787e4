import type { LinkSettings } from "../../links/link-rules.ts";
import type { UsageNotice } from "../billing/usage.ts";
import type { Noted } from "../events.ts";
import type { ListQuery } from "../fields.ts";
import type { Role } from "../runs/runs.ts";
import type { Actor, Identity } from "./caller.ts";
import type { CreatedKey, CreateKey, KeyList } from "./keys.ts";
import type {
  ActivityList,
  ChangeTeam,
  CreatedTeam,
  InvitationList,
  ListActivityQuery,
  ManagedTeam,
  ManageTeam,
  MemberList,
  SessionList,
  TeamList,
  TeamSettings,
  TeamView,
  WaysIn,
} from "./people.ts";

/** An action's parameters and result. */
export interface Action<Params, Result> {
  params: Params;
  result: Result;
}

/** A browser that is to be signed in; it keeps a secret of its own, by which it is known when it comes back. */
export interface BeginSignIn {
  browserHash: string;
  /** Where it goes then: a path of this service. */
  next: string;
}

export interface FinishSignIn {
  state: string;
  code: string;
  browserHash: string;
  /** Of the session that begins. */
  tokenHash: string;
  /** Of the one that it takes the place of. */
  before: string | null;
  /** What its owner knows the browser by. */
  browser?: string | null;
}

/** A browser that is signed in with a key. */
export interface OpenSession {
  keyHash: string;
  tokenHash: string;
  /** Of the session that it takes the place of. */
  before: string | null;
  browser?: string | null;
}

export type SignInRefusal = "state" | "code" | "unreachable" | "not_invited";
export type SignedIn = { actor: Actor; next: string } | { refusal: SignInRefusal };

type Nothing = Record<string, never>;

/** What the teams service offers. Keys and cookies travel as hashes only. */
export interface TeamActions {
  /** Null for a key that is unknown or revoked. */
  "teams.authenticate": Action<{ keyHash: string }, Identity | null>;
  /** Null for a session that is unknown or over. */
  "teams.authenticateSession": Action<{ tokenHash: string }, Identity | null>;
  /** Which of these hashes are those of a key that is not revoked, or of a session. */
  "teams.knownCredentials": Action<{ hashes: string[] }, string[]>;
  /** Signs a browser in with a key, in place of the session that it had; null for a key that opens nothing. */
  "teams.openSession": Action<OpenSession, Identity | null>;
  /** Gives a session another token, if it is due. @returns whether it was */
  "teams.renewSession": Action<{ tokenHash: string; newHash: string }, boolean>;
  /** Of the actor. `current` is the session that asks, null for a key by itself. */
  "teams.sessions": Action<ListQuery & { current: string | null }, SessionList>;
  "teams.closeSession": Action<{ id: string }, null>;
  /** Ends all of the actor's but this one. */
  "teams.closeOtherSessions": Action<{ current: string | null }, null>;
  /** How people may sign in here. */
  "teams.waysIn": Action<Record<string, never>, WaysIn>;
  /** Null where no code host is set up. */
  "teams.beginSignIn": Action<BeginSignIn, { url: string } | null>;
  "teams.finishSignIn": Action<FinishSignIn, SignedIn | null>;
  "teams.createKey": Action<CreateKey, CreatedKey>;
  "teams.listKeys": Action<ListQuery, KeyList>;
  "teams.revokeKey": Action<{ id: string }, null>;

  /** Of the actor, whichever team is asked about. */
  "teams.list": Action<ListQuery, TeamList>;
  "teams.create": Action<{ name: string }, CreatedTeam>;
  "teams.manage": Action<ManageTeam, ManagedTeam>;
  "teams.change": Action<ChangeTeam, TeamView>;
  "teams.settings": Action<{ teamId: string }, TeamSettings>;
  /** Null for a team that was deleted. */
  "teams.linkSettings": Action<{ teamId: string }, LinkSettings | null>;
  /** Names of people who may approve, but for this one; not all where there are many. */
  "teams.reviewers": Action<{ teamId: string; except: string }, string[]>;
  /** Which of these teams are not gone for good. */
  "teams.existing": Action<{ ids: string[] }, string[]>;
  "teams.delete": Action<Nothing, TeamView>;
  "teams.restore": Action<Nothing, TeamView>;
  "teams.leave": Action<Nothing, null>;
  /** Whether it is there, and was not deleted. */
  "teams.isOpen": Action<{ teamId: string }, boolean>;
  "teams.members": Action<ListQuery, MemberList>;
  /** The team's name, and the mail addresses of its admins, of those that are known. */
  "teams.adminAddresses": Action<{ teamId: string }, { name: string; addresses: string[] }>;
  /** The member whose account at the code host has this number; null for none. */
  "teams.memberByAccount": Action<{ teamId: string; hostId: string }, { actor: Actor; role: Role } | null>;
  /** Places for members that are taken: by members, and by who is invited and may still come. */
  "teams.countPlaces": Action<{ teamId: string }, number>;
  "teams.invitations": Action<ListQuery, InvitationList>;
  "teams.revokeInvitation": Action<{ id: string }, null>;
  /** Writes into a team's activity what a service did there, once however often it is asked to. */
  "teams.note": Action<Noted, null>;
  /** The same of an allowance. */
  "teams.noteUsage": Action<UsageNotice, null>;
  "teams.activity": Action<ListActivityQuery, ActivityList>;
}
