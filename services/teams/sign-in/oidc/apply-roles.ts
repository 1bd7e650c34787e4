import type { EntityManager } from "../../../../mixins/database.ts";
import type { Role } from "../../../../shared/contracts/runs/runs.ts";
import type { Actor } from "../../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../../shared/ids.ts";
import { removeFromTeam, setRole } from "../../members/change-member.ts";
import { countPlaces, findMember, SCIM } from "../../members/member.store.ts";
import { provisionedRole } from "../../scim/provision.ts";
import { findProvisioned, hasGroups, linkScimUser, type StoredUser } from "../../scim/scim.store.ts";
import { countAdmins, insertActivity, lockTeam } from "../../team.store.ts";
import { findServedTeams, type ServedTeam } from "../policy.store.ts";
import { decideRole } from "./decide-role.rule.ts";
import { letsJoin, type Provider } from "./providers.ts";
import type { ProviderAccount } from "./read-claims.rule.ts";

/** The seats of each team's plan that a user may join; null for no limit. */
export type SeatLimits = ReadonlyMap<string, number | null>;

interface SigningIn {
  provider: Provider;
  /** The user who signs in. */
  actor: Actor;
  account: ProviderAccount;
}

/** What the sign-in changed. */
interface Applied {
  changedIds: string[];
  /** Whether a team had no seat. */
  lacksSeat: boolean;
  /** The teams in which SCIM deactivated the user. */
  deactivatedIn: string[];
}

/**
 * Gives a user who signs in the roles of their groups, in each team that the provider serves. The last admin of a team
 * stays one.
 */
export async function applyRoles(tx: EntityManager, of: SigningIn, limits: SeatLimits): Promise<Applied> {
  const applied: Applied = { changedIds: [], lacksSeat: false, deactivatedIn: [] };
  for (const served of await findServedTeams(tx, of.provider, of.actor.id)) {
    const account = { ...of.account, userId: of.actor.id };
    // SCIM changes users under the team's lock, so only what is read under it still holds.
    if (await findProvisioned(tx, served.teamId, account)) await lockTeam(tx, served.teamId);
    const provisioned = await findProvisioned(tx, served.teamId, account);
    if (provisioned?.active) await linkScimUser(tx, provisioned.id, of.actor.id);
    else if (provisioned) applied.deactivatedIn.push(served.teamId);
    const role = await roleIn(tx, of, served, provisioned);
    const manager = provisioned ? SCIM : of.provider.id;
    if (role !== served.role)
      await applyRole(tx, of, { teamId: served.teamId, role, limits, manager }, applied);
  }
  return applied;
}

/** Returns the role by SCIM, or else by the groups that the provider sent. */
async function roleIn(
  tx: EntityManager,
  { account, provider }: SigningIn,
  served: ServedTeam,
  provisioned: StoredUser | null,
): Promise<Role | null> {
  if (provisioned && !provisioned.active) return null;
  if (provisioned && (await hasGroups(tx, served.teamId)))
    return provisionedRole(tx, served.teamId, provisioned.id, served.role);
  const role = decideRole(
    { ...served, letsJoin: provisioned !== null || letsJoin(provider, served.teamId) },
    account.groups,
    memberOf(served),
  );
  return provisioned ? (role ?? "viewer") : role;
}

/** Returns the membership as the rule reads it. */
export function memberOf({
  role,
  managedBy,
}: {
  role: Role | null;
  managedBy: string | null;
}): { role: Role; isManaged: boolean } | null {
  return role === null ? null : { role, isManaged: managedBy !== null };
}

async function applyRole(
  tx: EntityManager,
  { provider, actor }: SigningIn,
  {
    teamId,
    role,
    limits,
    manager,
  }: { teamId: string; role: Role | null; limits: SeatLimits; manager: string },
  applied: Applied,
): Promise<void> {
  const team = await lockTeam(tx, teamId);
  const member = await findMember(tx, teamId, actor.id);
  if (!team || team.deletedAt) return;
  const isLastAdmin = member?.role === "admin" && role !== "admin" && (await countAdmins(tx, teamId)) === 1;
  if (isLastAdmin) return;
  const limit = limits.get(teamId) ?? null;
  if (!member && limit !== null && (await countPlaces(tx, teamId)) >= limit) {
    applied.lacksSeat = true;
    return;
  }
  // A new member joins. Later changes are the provider's.
  const by: Actor = member ? { kind: "service", id: provider.id, name: provider.client.name } : actor;
  const change = {
    ...{ tx, team },
    note: (type: Parameters<typeof insertActivity>[1]["type"], target: string | null, details = {}) =>
      insertActivity(tx, { id: newId("act"), teamId, type, actor: by, target, details }),
  };
  if (role !== null) await setRole(change, actor.id, role, applied.changedIds, member ? undefined : manager);
  else if (member) await removeFromTeam(change, member, by.id, applied.changedIds);
}
