import type { EntityManager } from "../../../mixins/database.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import { InvitationEntity } from "./invitation.entity.ts";

const BATCH_SIZE = 100;

export interface UnmailedInvitation {
  id: string;
  teamId: string;
  /** The team's name. */
  team: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
  /** Whether the team has an identity provider of its own. */
  hasProvider: boolean;
}

/** Finds valid invitations by address without an email, the oldest first. */
export async function findUnmailed(em: EntityManager): Promise<UnmailedInvitation[]> {
  const rows: (UnmailedInvitation & { createdAt: string | Date; expiresAt: string | Date })[] =
    await em.execute(
      `select i.id, i.team_id as "teamId", t.name as team, i.email, i.role, i.invited_by as "invitedBy",
       i.created_at as "createdAt", i.expires_at as "expiresAt",
       exists (select from teams.provider p where p.team_id = i.team_id) as "hasProvider"
     from teams.invitation i join teams.team t on t.id = i.team_id
     where i.mailed_at is null and i.email is not null and i.expires_at > now() and t.deleted_at is null
     order by i.id limit ?`,
      [BATCH_SIZE],
    );
  return rows.map(row => ({
    ...row,
    createdAt: new Date(row.createdAt),
    expiresAt: new Date(row.expiresAt),
  }));
}

export async function markMailed(em: EntityManager, id: string): Promise<void> {
  await em.nativeUpdate(InvitationEntity, { id, mailedAt: null }, { mailedAt: new Date() });
}
