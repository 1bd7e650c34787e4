import type { Role } from "../runs/runs.ts";
import type { TeamView } from "./people.ts";

/** Who does something: an API key, a person who has signed in, or a part of the service that does it of its own accord. */
export interface Actor {
  kind: "key" | "user" | "service";
  id: string;
  /** What people know it by: the key's name, the person's login, the monitor's name. */
  name: string;
}

/** As whom the billing service does something. */
export const BILLING: Actor = { kind: "service", id: "billing", name: "billing" };

/** Who calls, and as what in which team: set by the gateway, carried in the message's meta. */
export interface Caller {
  teamId: string;
  role: Role;
  actor: Actor;
  /** The person who made the key that calls, as whom it counts where people are counted. */
  madeBy?: string;
}

/** Whom somebody counts as where people are counted: a key that a person made is that person, another is itself. */
export function countsAs({ actor, madeBy }: Pick<Caller, "actor" | "madeBy">): string {
  return actor.kind === "key" ? (madeBy ?? actor.id) : actor.id;
}

/** What a key or a session proves. */
export interface Identity {
  actor: Actor;
  /** The person who made the key, through whatever keys; not there for a person, and for a key that is nobody's. */
  madeBy?: string;
  /** The teams that it opens, the one joined first at first. */
  teams: TeamView[];
  /** Null for a key by itself. */
  session: { id: string; expiresAt: string; renew: boolean } | null;
}
