import type { BillingView } from "../../shared/contracts/billing/billing.ts";
import type { SessionView } from "../../shared/contracts/teams/sessions.ts";
import { DEFAULT_TEAM_ID } from "../../shared/ids.ts";

/** Returns whether this reader can create a team. API keys can if they are admins and count as a user or the operator. */
export function canCreateTeams({
  actor,
  countsAs,
  team,
}: Pick<SessionView, "actor" | "countsAs" | "team">): boolean {
  if (actor.kind === "user") return true;
  return team?.role === "admin" && (countsAs !== actor.id || team.id === DEFAULT_TEAM_ID);
}

/** Returns whether the payment provider has a subscription to manage. Otherwise, the team can start one. */
export function isSubscribed({ status }: Pick<BillingView, "status">): boolean {
  return status !== "none" && status !== "canceled" && status !== "incomplete";
}
