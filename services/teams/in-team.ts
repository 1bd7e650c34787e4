import type { EntityManager } from "../../mixins/database.ts";
import type { Noted } from "../../shared/contracts/events.ts";
import { ROLES, type Role } from "../../shared/contracts/runs/runs.ts";
import type { Caller } from "../../shared/contracts/teams/caller.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import { newId } from "../../shared/ids.ts";
import type { Team } from "./team.entity.ts";
import { countAdmins, findTeamsOf, insertActivity, lockTeam } from "./team.store.ts";
import { TEAM_ERRORS } from "./texts.ts";

/** What a change is made with. */
export interface Change {
  tx: EntityManager;
  team: Team;
  /** What the caller is in the team now, whatever was known when she asked. */
  role: Role;
  /** Why that is less than she was given; else empty. */
  why: string;
  /** Writes into the team's activity what is changed. */
  note(type: Noted["type"], target: string | null, details?: Noted["details"]): Promise<void>;
}

/**
 * Changes something of the caller's team: all of it or nothing, and one change at a time, so that of two admins who
 * leave at the same moment the second finds out.
 * @throws ServiceError not_found, forbidden; conflict when no admin would be left
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

/** @param why why the caller is no more than that @throws ServiceError forbidden */
export function requireRole(role: Role, least: Role, why = ""): void {
  if (ROLES.indexOf(role) < ROLES.indexOf(least))
    throw new ServiceError("forbidden", TEAM_ERRORS.needsRole(least, role, why));
}
