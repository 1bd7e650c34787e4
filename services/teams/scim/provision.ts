import type { EntityManager } from "../../../mixins/database.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import type { Change } from "../in-team.ts";
import { removeFromTeam, requireSeats, setRole } from "../members/change-member.ts";
import { countPlaces, findMember, findUser, SCIM } from "../members/member.store.ts";
import { decideRole } from "../sign-in/oidc/decide-role.rule.ts";
import type { Provider } from "../sign-in/oidc/providers.ts";
import { findPolicy } from "../sign-in/policy.store.ts";
import { deleteSessionsOf } from "../sign-in/session.store.ts";
import { subjectAt } from "../sign-in/sign-in.store.ts";
import { findTeamsOf } from "../team.store.ts";
import {
  findGroupsOfUsers,
  findMatchingMember,
  hasGroups,
  linkScimUser,
  type StoredUser,
} from "./scim.store.ts";
import { addressOf } from "./scim-user.rule.ts";

/** The dependencies of a change by SCIM. */
export interface Provisioning {
  change: Change;
  caller: Caller;
  /** The team's provider. Null without one. */
  provider: Provider | null;
  /** The seats of the plan; null for no limit. */
  seatLimit: number | null;
  /** Gets the ids whose access changed. */
  changedIds: string[];
}

/**
 * Makes the membership what SCIM says: an active user has the role of its groups, another has no access at all. A user
 * who never signed in has no membership yet, but takes a seat.
 * @param groupsChanged whether a group of the user changed. Then a role of the last group ends with it
 */
export async function applyProvisioned(
  of: Provisioning,
  user: StoredUser,
  groupsChanged = false,
): Promise<void> {
  const { tx, team } = of.change;
  const userId = user.userId ?? (await linkMember(of, user));
  if (userId === null) return;
  const member = await findMember(tx, team.id, userId);
  if (!user.active) {
    if (member) await removeFromTeam(of.change, member, of.caller.actor.id, of.changedIds);
    of.changedIds.push(userId, ...(await endSessions(of, userId)));
    return;
  }
  const role = await provisionedRole(tx, team.id, user.id, member?.role ?? null, groupsChanged);
  if (role !== member?.role || member.managedBy !== SCIM)
    await setRole(of.change, userId, role, of.changedIds, SCIM);
}

/** @throws ServiceError plan_limit_exceeded if the change took seats that the plan doesn't have */
export async function requireProvisionedSeats(of: Provisioning, usedBefore: number): Promise<void> {
  const usedAfter = await countPlaces(of.change.tx, of.change.team.id);
  if (usedAfter > usedBefore) requireSeats(of.seatLimit, usedBefore, usedAfter);
}

/** Returns the role of a provisioned user by the groups that SCIM knows. */
export async function provisionedRole(
  tx: EntityManager,
  teamId: string,
  id: string,
  current: Role | null,
  groupsChanged = false,
): Promise<Role> {
  const groups = (await findGroupsOfUsers(tx, [id])).get(id) ?? [];
  const names =
    groupsChanged || (await hasGroups(tx, teamId)) ? groups.map(({ displayName }) => displayName) : null;
  const rules = await findPolicy(tx, teamId);
  const member = current === null ? null : { role: current, isManaged: true };
  // Users who are assigned to the application may at least read.
  return decideRole(rules, names, member) ?? "viewer";
}

/** Finds the member who signed in before SCIM was set up. @returns the id, or null */
async function linkMember({ change, provider }: Provisioning, user: StoredUser): Promise<string | null> {
  if (!provider) return null;
  const { externalId, userName, attributes } = user;
  const found = await findMatchingMember(change.tx, change.team.id, {
    provider: provider.id,
    subject: externalId === null ? null : subjectAt(provider, externalId),
    email: addressOf({ userName, emails: attributes.emails }),
  });
  if (found !== null) await linkScimUser(change.tx, user.id, found);
  return found;
}

/**
 * Ends the sessions of a deactivated user. A member of other teams keeps those that don't come from the team's own
 * provider, unless the operators' team deactivates.
 */
async function endSessions({ change: { tx, team } }: Provisioning, userId: string): Promise<string[]> {
  const user = await findUser(tx, userId);
  const others = await findTeamsOf(tx, { kind: "user", id: userId, name: "" });
  const isOwn = team.id === DEFAULT_TEAM_ID || user?.provider === team.id;
  return isOwn || others.every(({ id }) => id === team.id) ? deleteSessionsOf(tx, userId) : [];
}
