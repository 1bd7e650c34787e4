import type { EntityManager } from "../../../mixins/database.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import {
  type GroupRole,
  INSTALLATION_PROVIDER,
  type SignInPolicy,
} from "../../../shared/contracts/teams/sign-in.ts";

/** The rules of a team that has none yet. It lets in only invited users, because a provider can be open to everyone. */
const NO_POLICY: SignInPolicy = { defaultRole: null, groupRoles: [], enforced: false };

/** Finds a team's rules of sign-in. */
export async function findPolicy(em: EntityManager, teamId: string): Promise<SignInPolicy> {
  const rows: SignInPolicy[] = await em.execute(
    `select default_role as "defaultRole", group_roles as "groupRoles", enforced
     from teams.sign_in_policy where team_id = ?`,
    [teamId],
  );
  return rows[0] ?? NO_POLICY;
}

export async function putPolicy(
  tx: EntityManager,
  teamId: string,
  { defaultRole, groupRoles, enforced }: SignInPolicy,
): Promise<void> {
  await tx.execute(
    `insert into teams.sign_in_policy (team_id, default_role, group_roles, enforced) values (?, ?, ?::jsonb, ?)
     on conflict (team_id) do update
       set default_role = excluded.default_role, group_roles = excluded.group_roles, enforced = excluded.enforced`,
    [teamId, defaultRole, JSON.stringify(groupRoles), enforced],
  );
}

/** A team whose members sign in with a provider. */
export interface ServedTeam {
  teamId: string;
  defaultRole: Role | null;
  groupRoles: GroupRole[];
  /** The user's role. Null for non-members. */
  role: Role | null;
  managedBy: string | null;
}

/**
 * Finds the teams with rules or provisioned users that a provider serves: of a team's own provider that team, of the installation's the teams
 * without one.
 * @param userId whose memberships are read. Null for a new user
 */
export function findServedTeams(
  em: EntityManager,
  { id }: { id: string },
  userId: string | null,
): Promise<ServedTeam[]> {
  return em.execute(
    `select t.id as "teamId", y.default_role as "defaultRole", coalesce(y.group_roles, '[]') as "groupRoles", m.role,
         m.managed_by as "managedBy"
       from teams.team t
       left join teams.sign_in_policy y on y.team_id = t.id
       left join teams.provider p on p.team_id = t.id
       left join teams.membership m on m.team_id = t.id and m.user_id = ?
       where t.deleted_at is null and coalesce(p.team_id, '${INSTALLATION_PROVIDER}') = ?
         and (y.team_id is not null or exists (select from teams.scim_user s where s.team_id = t.id))
       order by t.id`,
    [userId, id],
  );
}

/** How a session was started. */
export interface SessionStart {
  /** The identity provider. Null for the code host and for keys. */
  provider: string | null;
  /** Whether it is of an admin key without a user, which opens a team whose provider fails. */
  isEmergency: boolean;
}

/** Finds which of these teams a session may not use, because they enforce another way to sign in. */
export async function findClosedTeams(
  em: EntityManager,
  teamIds: readonly string[],
  { provider, isEmergency }: SessionStart,
): Promise<{ id: string; name: string; provider: string }[]> {
  if (isEmergency || teamIds.length === 0) return [];
  return em.execute(
    `select t.id, t.name, coalesce(p.team_id, '${INSTALLATION_PROVIDER}') as provider
     from teams.sign_in_policy y join teams.team t on t.id = y.team_id
     left join teams.provider p on p.team_id = t.id
     where y.enforced and y.team_id in (select jsonb_array_elements_text(?::jsonb))
       and coalesce(p.team_id, '${INSTALLATION_PROVIDER}') is distinct from ?
     order by t.id`,
    [JSON.stringify(teamIds), provider],
  );
}
