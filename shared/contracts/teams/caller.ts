import type { Role } from "../runs/runs.ts";
import type { TeamView } from "./people.ts";

/** The actor of a change: an API key, a signed-in user, or a part of the service that acts by itself. */
export interface Actor {
  kind: "key" | "user" | "service";
  id: string;
  /** The displayed name: the key's name, the user's login, or the monitor's name. */
  name: string;
}

/** The billing service as an actor. */
export const BILLING: Actor = { kind: "service", id: "billing", name: "billing" };

/** The caller's team and role. The gateway sets it, and the message's meta carries it. */
export interface Caller {
  teamId: string;
  role: Role;
  actor: Actor;
  /** The user who created the calling key. Approvals count the user, not the key. */
  madeBy?: string;
  /** The project of a key that can only upload to it. Missing for all other callers. */
  uploadProject?: string;
  /** The only repository whose commits such a key may report on. */
  uploadRepository?: string;
}

/**
 * Returns the id that counts as one person. A key counts as the user who created it, and a key without a user as
 * itself.
 */
export function countsAs({ actor, madeBy }: Pick<Caller, "actor" | "madeBy">): string {
  return actor.kind === "key" ? (madeBy ?? actor.id) : actor.id;
}

/** The identity of a key or a session. */
export interface Identity {
  actor: Actor;
  /** The user who created the key, directly or with another key. Missing for users, and for keys without a user. */
  madeBy?: string;
  /** The project of a key that can only upload to it. Missing for all others. */
  uploadProject?: string;
  /** The only repository whose commits such a key may report on. */
  uploadRepository?: string;
  /** Whether it is a key that can only provision users by SCIM. */
  provisions?: boolean;
  /** The accessible teams, the earliest joined first. */
  teams: TeamView[];
  /** Teams that this session can't use, because they enforce sign-in with an identity provider. */
  closedTeams?: { id: string; name: string; provider: string }[];
  /** Null for a key without a session. `provider` is the identity provider that it comes from, or null. */
  session: { id: string; expiresAt: string; renew: boolean; provider: string | null } | null;
}
