import type { SessionView } from "../../shared/contracts/people.ts";
import { DEFAULT_TEAM_ID } from "../../shared/ids.ts";

/** Whether the service would let this reader make a team: of keys only admins', that stand for a person or the operator. */
export function mayMakeTeams({
  actor,
  countsAs,
  team,
}: Pick<SessionView, "actor" | "countsAs" | "team">): boolean {
  if (actor.kind === "user") return true;
  return team?.role === "admin" && (countsAs !== actor.id || team.id === DEFAULT_TEAM_ID);
}
