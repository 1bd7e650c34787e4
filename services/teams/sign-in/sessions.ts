import type { EntityManager } from "../../../mixins/database.ts";
import type { ListQuery } from "../../../shared/contracts/fields.ts";
import type { Actor, Identity } from "../../../shared/contracts/teams/caller.ts";
import type { SessionList } from "../../../shared/contracts/teams/sessions.ts";
import type { OpenSession } from "../../../shared/contracts/teams/team-actions.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import { identityOfKey, type Owner } from "../keys/authenticate.ts";
import { findKey, findKeyByHash, recordUse } from "../keys/key.store.ts";
import { viewOf } from "../manage-team.ts";
import { findUser } from "../members/member.store.ts";
import { findTeamsOf, insertActivity } from "../team.store.ts";
import { TEAM_ERRORS } from "../texts.ts";
import {
  deleteSession,
  deleteSessionByToken,
  type FoundSession,
  findSession,
  findSessions,
  insertSession,
  replaceToken,
  touchSession,
} from "./session.store.ts";

/** Returns a session's identity. Returns null if it is unknown or expired, or its key was revoked. */
export async function authenticateSession(em: EntityManager, tokenHash: string): Promise<Identity | null> {
  const session = await findSession(em, tokenHash);
  const owner = session && (await findOwner(em, session));
  if (!session || !owner) return null;
  await touchSession(em, session.id);
  const teams = await findTeamsOf(em, owner.actor);
  const { id, renew } = session;
  return {
    ...owner,
    teams: teams.map(viewOf),
    session: { id, expiresAt: session.expiresAt.toISOString(), renew },
  };
}

/** Returns the owner of a session. A session of a key is a use of the key. */
async function findOwner(em: EntityManager, { userId, keyId }: FoundSession): Promise<Owner | null> {
  if (keyId !== null) {
    const key = await findKey(em, keyId);
    if (!key) return null;
    await recordUse(em, key.id, new Date());
    return identityOfKey(key);
  }
  const user = userId === null ? null : await findUser(em, userId);
  return user && { actor: { kind: "user", id: user.id, name: user.login ?? user.id } };
}

/**
 * Signs a browser in with a key, with the key's role, until the key is revoked. Returns null for an invalid key.
 * @throws ServiceError forbidden for a key that can only upload
 */
export async function openKeySession(
  em: EntityManager,
  { keyHash, tokenHash, before, browser }: OpenSession,
): Promise<Identity | null> {
  const key = await findKeyByHash(em, keyHash);
  if (!key || key.revokedAt) return null;
  if (key.uploadProject !== null) throw new ServiceError("forbidden", TEAM_ERRORS.uploadKeySignsIn);
  const { actor } = identityOfKey(key);
  await em.transactional(async tx => {
    if (before !== null) await deleteSessionByToken(tx, before);
    const id = newId("ses");
    await insertSession(tx, { id, tokenHash, actor, browser });
    const noted = { type: "session.opened", actor, target: null, details: {} } as const;
    await insertActivity(tx, { ...noted, id: newId("act"), teamId: key.teamId });
  });
  return authenticateSession(em, tokenHash);
}

export function renewSession(
  em: EntityManager,
  { tokenHash, newHash }: { tokenHash: string; newHash: string },
): Promise<boolean> {
  return replaceToken(em, tokenHash, newHash);
}

/** Lists the actor's sessions, newest first. */
export async function listSessions(
  em: EntityManager,
  actor: Actor,
  { current, ...page }: ListQuery & { current: string | null },
): Promise<SessionList> {
  const before = decodeCursor("sessions", page.cursor);
  const found = await findSessions(em, actor, { limit: page.limit, ...(before && { before }) });
  return pageOf("sessions", found, page.limit, ({ id, createdAt, usedAt, expiresAt, browser }) => ({
    id,
    browser,
    current: id === current,
    createdAt: createdAt.toISOString(),
    usedAt: usedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** @throws ServiceError not_found for another actor's session */
export async function closeSession(em: EntityManager, actor: Actor, id: string): Promise<void> {
  if (!(await deleteSession(em, actor, id))) throw notFound("session", id);
}
