import type { EntityManager } from "../../mixins/database.ts";
import { makeKey } from "../../shared/api-keys.ts";
import type { ListQuery } from "../../shared/contracts/fields.ts";
import type { Actor, Caller } from "../../shared/contracts/teams/caller.ts";
import type { ChangeTeam, CreatedTeam, TeamList, TeamView } from "../../shared/contracts/teams/people.ts";
import { ServiceError } from "../../shared/errors.ts";
import { DEFAULT_TEAM_ID, newId } from "../../shared/ids.ts";
import { decodeCursor, pageOf } from "../../shared/pagination.ts";
import { inTeam } from "./in-team.ts";
import { firstKey } from "./keys/first-key.ts";
import { findKey, insertKey } from "./keys/key.store.ts";
import { putMember } from "./members/member.store.ts";
import { NEW_TEAM, type Team } from "./team.entity.ts";
import {
  countMadeBy,
  findTeamsOf,
  insertActivity,
  insertTeam,
  markDeleted,
  type TeamWithRole,
} from "./team.store.ts";
import { changedSettings } from "./team-settings.ts";
import { TEAM_ERRORS } from "./texts.ts";

/** The days for which a deleted team can be restored. */
export const RESTORABLE_DAYS = 7;

/** Limits the teams that one user creates, because each has a plan's allowance. */
const MAX_TEAMS = 20;

/** Lists the actor's teams by id. */
export async function listTeams(em: EntityManager, actor: Actor, page: ListQuery): Promise<TeamList> {
  const after = decodeCursor("teams", page.cursor) ?? "";
  const teams = (await findTeamsOf(em, actor)).sort((a, b) => (a.id < b.id ? -1 : 1));
  return pageOf(
    "teams",
    teams.filter(team => team.id > after),
    page.limit,
    viewOf,
  );
}

/**
 * Creates a team. Its admin is the user, or the user of the calling admin key. An operator's key belongs to no user, so
 * it gets the new team's first key.
 * @param isOpen whether users without a team may create one
 * @throws ServiceError forbidden for other keys, and for users who were invited to teams and have left them; conflict
 * for too many teams
 */
export async function createTeam(
  em: EntityManager,
  actor: Actor,
  name: string,
  isOpen: boolean,
): Promise<CreatedTeam> {
  return em.transactional(async tx => {
    const admin = await firstAdmin(tx, actor);
    const made = { id: newId("team"), name, createdAt: new Date(), madeBy: admin.userId };
    const team: Team = { ...NEW_TEAM, ...made };
    if (!isOpen && (await findTeamsOf(tx, actor)).length === 0)
      throw new ServiceError("forbidden", TEAM_ERRORS.noTeam);
    if (admin.userId !== null && (await countMadeBy(tx, admin.userId)) >= MAX_TEAMS)
      throw new ServiceError("conflict", TEAM_ERRORS.tooManyTeams(MAX_TEAMS, RESTORABLE_DAYS));
    await insertTeam(tx, team);
    if (admin.userId !== null) await putMember(tx, team.id, admin.userId, "admin");
    const key = admin.userId === null ? await insertFirstKey(tx, team.id) : undefined;
    const noted = { type: "team.created", actor, target: name, details: {} } as const;
    await insertActivity(tx, { ...noted, id: newId("act"), teamId: team.id });
    return { ...viewOf({ ...team, role: "admin", hasNoSeat: false }), ...(key !== undefined && { key }) };
  });
}

/** Returns the new team's first admin, or null for a key without a user. */
async function firstAdmin(tx: EntityManager, actor: Actor): Promise<{ userId: string | null }> {
  if (actor.kind === "user") return { userId: actor.id };
  const key = await findKey(tx, actor.id);
  if (key?.role !== "admin") {
    throw new ServiceError("forbidden", TEAM_ERRORS.keyNeedsAdmin);
  }
  if (key.madeBy === null && key.teamId !== DEFAULT_TEAM_ID) {
    throw new ServiceError("forbidden", TEAM_ERRORS.keyWithoutUser);
  }
  return { userId: key.madeBy };
}

async function insertFirstKey(tx: EntityManager, teamId: string): Promise<string> {
  const key = makeKey();
  await insertKey(tx, firstKey(teamId, "first", key));
  return key;
}

/** Renames a team or changes its settings. Earlier review decisions stay. */
export function changeTeam(em: EntityManager, caller: Caller, change: ChangeTeam): Promise<TeamView> {
  return inTeam(em, caller, "admin", async ({ team, role, note }) => {
    const before = team.name;
    const settings = changedSettings(team, change);
    Object.assign(team, change);
    if (team.name !== before) await note("team.renamed", team.name, { before });
    if (Object.keys(settings).length > 0) await note("team.settings", team.name, settings);
    return viewOf({ ...team, role, hasNoSeat: false });
  });
}

/**
 * Deletes a team, which can be restored for a week. A repeated call changes nothing.
 * @throws ServiceError conflict for the default team, which belongs to the service
 */
export function deleteTeam(em: EntityManager, caller: Caller): Promise<TeamView> {
  return inTeam(em, caller, "admin", async ({ tx, team, role, note }) => {
    if (team.id === DEFAULT_TEAM_ID) throw new ServiceError("conflict", TEAM_ERRORS.defaultTeam);
    if (!team.deletedAt) await note("team.deleted", team.name);
    await markDeleted(tx, team.id);
    await tx.refresh(team);
    return viewOf({ ...team, role, hasNoSeat: false });
  });
}

export function restoreTeam(em: EntityManager, caller: Caller): Promise<TeamView> {
  return inTeam(em, caller, "admin", async ({ team, role, note }) => {
    if (team.deletedAt) await note("team.restored", team.name);
    team.deletedAt = null;
    return viewOf({ ...team, role, hasNoSeat: false });
  });
}

/** Returns a team as its member sees it. */
export function viewOf(team: TeamWithRole): TeamView {
  const { id, name, role, hasNoSeat, seats, createdAt, deletedAt } = team;
  const { requiredApprovals, allowSelfApproval, linkDays, publicLinks } = team;
  const deletesAt = deletedAt && new Date(deletedAt.getTime() + RESTORABLE_DAYS * 86_400_000);
  return {
    id,
    name,
    role,
    readOnlyBecause: hasNoSeat && seats !== null ? TEAM_ERRORS.noSeat(seats) : null,
    createdAt: createdAt.toISOString(),
    deletesAt: deletesAt?.toISOString() ?? null,
    requiredApprovals,
    allowSelfApproval,
    linkDays,
    publicLinks,
  };
}
