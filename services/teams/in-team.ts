import type { EntityManager } from "../../mixins/database.ts";
import type { Noted } from "../../shared/contracts/events.ts";
import { ROLES, type Role } from "../../shared/contracts/runs/runs.ts";
import type { Caller } from "../../shared/contracts/teams/caller.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import { newId } from "../../shared/ids.ts";
import type { Team } from "./team.entity.ts";
import { countAdmins, findTeamsOf, insertActivity, lockTeam } from "./team.store.ts";
import { TEAM_ERRORS } from "./texts.ts";

/** The context of a change. */
export interface Change {
  tx: EntityManager;
  team: Team;
  /** The caller's current role, which may differ from the one at the time of the request. */
  role: Role;
  /** Why the caller's role is lower than the given one; else empty. */
  why: string;
  /** Notes the change in the team's activity. */
  note(type: Noted["type"], target: string | null, details?: Noted["details"]): Promise<void>;
}

/**
 * Changes the caller's team in one transaction. Only one change runs at a time, so that of two admins who leave at once
 * the second is refused.
 * @throws ServiceError not_found, forbidden; conflict if no admin would be left
 */
export function inTeam<T>(
  em: EntityManager,
  caller: Caller,
  least: Role,
  change: (change: Change) => Promise<T>,
): Promise<T> {
  const { teamId, actor } = caller;
  return em.transactional(async tx => {
    const team = await lockTeam(tx, teamId);
    const found = (await findTeamsOf(tx, actor)).find(({ id }) => id === teamId);
    if (!team || !found) throw notFound("team", teamId);
    const { role, hasNoSeat } = found;
    const why = hasNoSeat ? TEAM_ERRORS.noSeat(team.seats ?? 0) : "";
    requireRole(role, least, why);
    const result = await change({
      tx,
      team,
      role,
      why,
      note: (type, target, details = {}) =>
        insertActivity(tx, { id: newId("act"), teamId, type, actor, target, details }),
    });
    if ((await countAdmins(tx, teamId)) === 0) {
      throw new ServiceError("conflict", TEAM_ERRORS.lastAdmin);
    }
    return result;
  });
}

/** @param why why the caller's role is lower than the given one @throws ServiceError forbidden */
export function requireRole(role: Role, least: Role, why = ""): void {
  if (ROLES.indexOf(role) < ROLES.indexOf(least))
    throw new ServiceError("forbidden", TEAM_ERRORS.needsRole(least, role, why));
}
