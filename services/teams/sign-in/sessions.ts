import type { EntityManager } from "../../../mixins/database.ts";
import type { ListQuery } from "../../../shared/contracts/fields.ts";
import type { Actor, Identity } from "../../../shared/contracts/teams/caller.ts";
import type { SessionList } from "../../../shared/contracts/teams/sessions.ts";
import type { OpenSession } from "../../../shared/contracts/teams/team-actions.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import type { ApiKey } from "../keys/api-key.entity.ts";
import { identityOfKey, type Owner } from "../keys/authenticate.ts";
import { findKey, findKeyByHash, recordUse } from "../keys/key.store.ts";
import { viewOf } from "../manage-team.ts";
import { findUser } from "../members/member.store.ts";
import { findTeamsOf } from "../team.store.ts";
import { TEAM_ERRORS } from "../texts.ts";
import { noteRefusal } from "./note-refusal.ts";
import { noteSignIn } from "./note-sign-in.ts";
import { findClosedTeams } from "./policy.store.ts";
import {
  deleteSession,
  deleteSessionByToken,
  endPreviousToken,
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
  if (session.isFirstUse) await endPreviousToken(em, tokenHash);
  const teams = await findTeamsOf(em, owner.actor);
  const { id, renew, provider } = session;
  const { isEmergency } = owner;
  const ids = teams.map(team => team.id);
  const closed = await findClosedTeams(em, ids, { provider, isEmergency });
  return {
    ...owner.identity,
    teams: teams.filter(team => closed.every(({ id }) => id !== team.id)).map(viewOf),
    ...(closed.length > 0 && { closedTeams: closed }),
    session: { id, expiresAt: session.expiresAt.toISOString(), renew, provider },
  };
}

/** Returns the owner of a session. A session of a key is a use of the key. */
async function findOwner(
  em: EntityManager,
  { userId, keyId }: FoundSession,
): Promise<{ actor: Actor; identity: Owner; isEmergency: boolean } | null> {
  if (keyId !== null) {
    const key = await findKey(em, keyId);
    if (!key) return null;
    await recordUse(em, key.id, new Date());
    const identity = identityOfKey(key);
    return { actor: identity.actor, identity, isEmergency: opensEnforcedTeam(key) };
  }
  const user = userId === null ? null : await findUser(em, userId);
  if (!user) return null;
  const actor: Actor = { kind: "user", id: user.id, name: user.login ?? user.id };
  return { actor, identity: { actor }, isEmergency: false };
}

/** An admin key without a user, such as the bootstrap key, is the way in if a team's provider fails. */
function opensEnforcedTeam({ madeBy, role }: ApiKey): boolean {
  return madeBy === null && role === "admin";
}

/**
 * Signs a browser in with a key, with the key's role, until the key is revoked. Returns null for an invalid key.
 * @throws ServiceError forbidden for a key that can only upload, and for a team that enforces another way
 */
export async function openKeySession(
  em: EntityManager,
  { keyHash, tokenHash, before, browser }: OpenSession,
): Promise<Identity | null> {
  const key = await findKeyByHash(em, keyHash);
  if (!key || key.revokedAt) return null;
  if (key.provisions) throw new ServiceError("forbidden", TEAM_ERRORS.scimKeySignsIn);
  if (key.uploadProject !== null) throw new ServiceError("forbidden", TEAM_ERRORS.uploadKeySignsIn);
  const { actor } = identityOfKey(key);
  const start = { provider: null, isEmergency: opensEnforcedTeam(key) };
  const [closed] = await findClosedTeams(em, [key.teamId], start);
  if (closed) {
    await noteRefusal(em, { teamId: key.teamId, actor, reason: "provider_required" });
    throw new ServiceError("forbidden", TEAM_ERRORS.providerRequired(closed.name));
  }
  await em.transactional(async tx => {
    if (before !== null) await deleteSessionByToken(tx, before);
    const id = newId("ses");
    await insertSession(tx, { id, tokenHash, actor, browser });
    await noteSignIn(tx, actor, [key.teamId], { browser });
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
  return pageOf("sessions", found, page.limit, ({ id, createdAt, usedAt, expiresAt, browser, provider }) => ({
    id,
    browser,
    signedInWith: provider !== null ? "provider" : actor.kind === "key" ? "key" : "code-host",
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
