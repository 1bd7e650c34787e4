import type { EntityManager } from "../../../mixins/database.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import { InvitationEntity } from "./invitation.entity.ts";

const BATCH_SIZE = 100;
const DAY = "interval '1 day'";

export interface UnmailedInvitation {
  id: string;
  teamId: string;
  /** The team's name. */
  team: string;
  /** The user who created the team, or else the team. A limit of emails applies to all teams of a user. */
  sender: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
  /** Whether the team has an identity provider of its own. */
  hasProvider: boolean;
}

/**
 * Finds valid invitations by address without an email, the oldest first.
 * @param dailyLimit how many emails a sender may send in a day. Null for no limit
 */
export async function findUnmailed(
  em: EntityManager,
  dailyLimit: number | null,
): Promise<UnmailedInvitation[]> {
  const rows: (UnmailedInvitation & { createdAt: string | Date; expiresAt: string | Date })[] =
    await em.execute(
      `with unmailed as (
       select i.id, i.team_id, i.email, i.role, i.invited_by, i.created_at, i.expires_at, t.name as team,
         coalesce(t.made_by, t.id) as sender
       from teams.invitation i join teams.team t on t.id = i.team_id
       where i.mailed_at is null and i.email is not null and i.expires_at > now() and t.deleted_at is null
     ), counted as (
       select u.*, row_number() over (partition by u.sender order by u.id) as nth,
         (select count(*) from teams.invitation_mail s
          where s.sender = u.sender and s.at > now() - ${DAY}) as sent
       from unmailed u
     )
     select c.id, c.team_id as "teamId", c.team, c.sender, c.email, c.role, c.invited_by as "invitedBy",
       c.created_at as "createdAt", c.expires_at as "expiresAt",
       exists (select from teams.provider p where p.team_id = c.team_id) as "hasProvider"
     from counted c
     where ?::int is null or c.nth + c.sent <= ?::int
     order by c.id limit ?`,
      [dailyLimit, dailyLimit, BATCH_SIZE],
    );
  return rows.map(row => ({
    ...row,
    createdAt: new Date(row.createdAt),
    expiresAt: new Date(row.expiresAt),
  }));
}

/** Counts an email, and marks its invitation, which may have been withdrawn meanwhile. */
export async function markMailed(
  em: EntityManager,
  { id, sender }: Pick<UnmailedInvitation, "id" | "sender">,
): Promise<void> {
  await em.execute(
    "insert into teams.invitation_mail (invitation_id, sender) values (?, ?) on conflict do nothing",
    [id, sender],
  );
  await em.nativeUpdate(InvitationEntity, { id, mailedAt: null }, { mailedAt: new Date() });
}

/** Deletes the counted emails that no limit needs anymore. */
export async function deleteOldMails(em: EntityManager): Promise<void> {
  await em.execute(`delete from teams.invitation_mail where at < now() - ${DAY}`);
}
