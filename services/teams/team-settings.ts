import type { EntityManager } from "../../mixins/database.ts";
import type { Noted } from "../../shared/contracts/events.ts";
import type { ChangeTeam, TeamSettings } from "../../shared/contracts/teams/people.ts";
import type { LinkSettings } from "../../shared/links/link-rules.ts";
import { findReviewers } from "./members/member.store.ts";
import { DEFAULT_SETTINGS } from "./team.entity.ts";
import { findSettings } from "./team.store.ts";

/** The number of names in an error. */
const MAX_NAMED = 10;

/** Returns a team's review settings, or the defaults for a deleted team. */
export async function readSettings(em: EntityManager, teamId: string): Promise<TeamSettings> {
  return (await findSettings(em, teamId)) ?? DEFAULT_SETTINGS;
}

/** Returns the names of some members who can approve, except one. */
export function listReviewers(em: EntityManager, teamId: string, except: string): Promise<string[]> {
  return findReviewers(em, teamId, except, MAX_NAMED);
}

/** Returns the changed settings for the team's activity. */
export function changedSettings(before: TeamSettings & LinkSettings, change: ChangeTeam): Noted["details"] {
  const { requiredApprovals, allowSelfApproval, linkDays, publicLinks } = change;
  return {
    ...(requiredApprovals !== undefined &&
      requiredApprovals !== before.requiredApprovals && { requiredApprovals }),
    ...(allowSelfApproval !== undefined &&
      allowSelfApproval !== before.allowSelfApproval && {
        allowSelfApproval: allowSelfApproval ? "yes" : "no",
      }),
    ...(linkDays !== undefined && linkDays !== before.linkDays && { linkDays }),
    ...(publicLinks !== undefined &&
      publicLinks !== before.publicLinks && { publicLinks: publicLinks ? "yes" : "no" }),
  };
}
