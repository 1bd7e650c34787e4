import type { EntityManager } from "../../../mixins/database.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { deleteInvitation, findMember, putMember } from "../members/member.store.ts";
import { insertActivity, lockTeam } from "../team.store.ts";
import { findInvitationsFor, type Invitee } from "./sign-in.store.ts";

/**
 * Accepts the invitations of an account that just signed in. @param except teams that keep the account out
 */
export async function acceptInvitations(
  tx: EntityManager,
  actor: Actor,
  invitee: Invitee,
  except: readonly string[] = [],
): Promise<void> {
  for (const { id, teamId, role } of await findInvitationsFor(tx, invitee)) {
    if (except.includes(teamId)) continue;
    const team = await lockTeam(tx, teamId);
    // It can be accepted if the team is restored.
    if (!team || team.deletedAt !== null) continue;
    // The invitation was withdrawn just before.
    if (!(await deleteInvitation(tx, teamId, id))) continue;
    if (await findMember(tx, teamId, actor.id)) continue;
    await putMember(tx, teamId, actor.id, role);
    const noted = { type: "member.joined", actor, target: actor.name, details: { role } } as const;
    await insertActivity(tx, { ...noted, id: newId("act"), teamId });
  }
}
