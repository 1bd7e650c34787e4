import type { EntityManager } from "../../mixins/database.ts";
import type { Noted } from "../../shared/contracts/events.ts";
import type { ChangeTeam, TeamSettings } from "../../shared/contracts/teams/people.ts";
import type { LinkSettings } from "../../shared/links/link-rules.ts";
import { findReviewers } from "./members/member.store.ts";
import { DEFAULT_SETTINGS } from "./team.entity.ts";
import { findSettings } from "./team.store.ts";

/** As many as an error names. */
const NAMED_AT_MOST = 10;

/** What a team asks of reviews; of one that is gone, what a new one does. */
export async function readSettings(em: EntityManager, teamId: string): Promise<TeamSettings> {
  return (await findSettings(em, teamId)) ?? DEFAULT_SETTINGS;
}

/** Names of people of a team who may approve, but for this one: some, where there are many. */
export function listReviewers(em: EntityManager, teamId: string, except: string): Promise<string[]> {
  return findReviewers(em, teamId, except, NAMED_AT_MOST);
}

/** What of a team's settings a change changes, in words for its activity. */
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
