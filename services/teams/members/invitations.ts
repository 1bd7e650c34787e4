import type { EntityManager } from "../../../mixins/database.ts";
import type { ListQuery } from "../../../shared/contracts/fields.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { InvitationList, InvitationView } from "../../../shared/contracts/teams/people.ts";
import { notFound } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import { type Change, inTeam } from "../in-team.ts";
import type { Invitation } from "./invitation.entity.ts";
import { deleteInvitation, findInvitations, putInvitation } from "./member.store.ts";

interface Invited {
  login?: string | null | undefined;
  email?: string | null | undefined;
  role: Role;
}

/** Invites a login or an email address. */
export async function invite(
  { tx, team, note }: Change,
  { login = null, email = null, role }: Invited,
  invitedBy: string,
): Promise<InvitationView> {
  const id = newId("inv");
  const invitation = await putInvitation(tx, { id, teamId: team.id, login, email, role, invitedBy });
  await note("invitation.made", login ?? email, { role });
  return viewOf(invitation);
}

/** Lists valid invitations, newest first. */
export async function listInvitations(
  em: EntityManager,
  caller: Caller,
  page: ListQuery,
): Promise<InvitationList> {
  const before = decodeCursor("invitations", page.cursor);
  const found = await findInvitations(em, caller.teamId, { limit: page.limit, ...(before && { before }) });
  return pageOf("invitations", found, page.limit, viewOf);
}

/** @throws ServiceError not_found */
export async function revokeInvitation(em: EntityManager, caller: Caller, id: string): Promise<void> {
  await inTeam(em, caller, "admin", async ({ tx, team, note }) => {
    const invitation = await deleteInvitation(tx, team.id, id);
    if (!invitation) throw notFound("invitation", id);
    await note("invitation.revoked", invitation.login ?? invitation.email);
  });
}

function viewOf({ id, login, email, role, invitedBy, createdAt, expiresAt }: Invitation): InvitationView {
  const [created, expires] = [createdAt.toISOString(), expiresAt.toISOString()];
  return { id, login, email, role, invitedBy, createdAt: created, expiresAt: expires };
}
