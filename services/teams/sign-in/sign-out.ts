import type { EntityManager } from "../../../mixins/database.ts";
import { UnreadableError } from "../../../shared/api/checked-request.ts";
import type { Actor, Caller } from "../../../shared/contracts/teams/caller.ts";
import type { LogoutRefusal } from "../../../shared/contracts/teams/team-actions.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { inTeam } from "../in-team.ts";
import { nameOf } from "../members/change-member.ts";
import type { Managed } from "../members/manage-members.ts";
import { findMember, findUser } from "../members/member.store.ts";
import { findTeamsOf } from "../team.store.ts";
import { LOG_MESSAGES, LOGOUT_ERRORS, TEAM_ERRORS } from "../texts.ts";
import { LogoutTokenError } from "./oidc/logout-token.ts";
import { ProviderError } from "./oidc/provider-error.ts";
import type { ProviderContext } from "./oidc/provider-sign-in.ts";
import { rememberLogoutToken } from "./provider.store.ts";
import { deleteProviderSessions, deleteSessionsOf, findOrigin } from "./session.store.ts";
import { closeSession } from "./sessions.ts";
import { subjectAt } from "./sign-in.store.ts";

/**
 * Ends the actor's session. Returns the URL where its provider signs the user out too, or null without one.
 * @throws ServiceError not_found for another actor's session
 */
export async function signOut(
  { em, providers, warn }: ProviderContext,
  actor: Actor,
  { id, returnUrl }: { id: string; returnUrl: string },
): Promise<{ signOutUrl: string | null }> {
  const origin = await findOrigin(em(), actor, id);
  await closeSession(em(), actor, id);
  const provider = origin && (await providers.find(origin.provider));
  if (!provider) return { signOutUrl: null };
  try {
    return { signOutUrl: await provider.oidc.signOutUrl(origin.idToken, returnUrl) };
  } catch (error) {
    // The user is signed out here in any case.
    if (!(error instanceof ProviderError)) throw error;
    warn(LOG_MESSAGES.providerFailed(provider.client.name, error.message));
    return { signOutUrl: null };
  }
}

/** Ends the sessions that a provider's logout token names, once for each token. Null if it is valid. */
export async function endProviderSessions(
  { em, providers, warn }: ProviderContext,
  { provider: id, token }: { provider: string; token: string },
): Promise<Managed<LogoutRefusal | null>> {
  const provider = await providers.find(id);
  const refused = (kind: LogoutRefusal["kind"], message: string) => ({
    result: { kind, message },
    changedIds: [],
  });
  if (!provider) return refused("unknown", LOGOUT_ERRORS.noProvider);
  try {
    const verified = await provider.oidc.verifyLogout(token);
    const { sid, subject: sub } = verified;
    const subject = sub === null ? null : subjectAt(provider, sub);
    return await em().transactional(async tx => {
      if (!(await rememberLogoutToken(tx, id, verified))) return refused("invalid", LOGOUT_ERRORS.repeated);
      const ended = await deleteProviderSessions(tx, id, { sid, subject });
      return { result: null, changedIds: ended.map(session => session.id) };
    });
  } catch (error) {
    if (error instanceof LogoutTokenError) return refused("invalid", error.message);
    if (!(error instanceof ProviderError) && !(error instanceof UnreadableError)) throw error;
    warn(LOG_MESSAGES.providerFailed(provider.client.name, error.message));
    return refused("unavailable", LOGOUT_ERRORS.noKeys);
  }
}

/**
 * Ends all sessions of a member. A member of other teams keeps the sessions that don't come from the team's own
 * provider, unless the operators' team asks.
 * @throws ServiceError not_found; conflict if no session may be ended
 */
export async function signOutMember(
  em: EntityManager,
  caller: Caller,
  userId: string,
): Promise<Managed<null>> {
  const changedIds = await inTeam(em, caller, "admin", async ({ tx, team, note }) => {
    const member = await findMember(tx, team.id, userId);
    const user = member && (await findUser(tx, userId));
    if (!member || !user) throw notFound("member", userId);
    const isShared = (await findTeamsOf(tx, { kind: "user", id: userId, name: "" })).length > 1;
    const isOwn = team.id === DEFAULT_TEAM_ID || user.provider === team.id || !isShared;
    if (!isOwn) throw new ServiceError("conflict", TEAM_ERRORS.memberElsewhere(nameOf(member)));
    const ended = await deleteSessionsOf(tx, userId);
    await note("session.ended", nameOf(member), { sessions: ended.length });
    return ended;
  });
  return { result: null, changedIds };
}
