import { randomBytes } from "node:crypto";
import type { EntityManager } from "../../../../mixins/database.ts";
import { hashKey } from "../../../../shared/api-keys.ts";
import type { Actor } from "../../../../shared/contracts/teams/caller.ts";
import type {
  BeginProviderSignIn,
  FinishProviderSignIn,
  ProviderSignedIn,
  ProviderSignInRefusal,
} from "../../../../shared/contracts/teams/team-actions.ts";
import { DEFAULT_TEAM_ID, newId } from "../../../../shared/ids.ts";
import { createTeam } from "../../manage-team.ts";
import { findTeamsOf } from "../../team.store.ts";
import { LOG_MESSAGES } from "../../texts.ts";
import { acceptInvitations } from "../accept-invitations.ts";
import { noteRefusal } from "../note-refusal.ts";
import { noteSignIn } from "../note-sign-in.ts";
import { findClosedTeams, findServedTeams } from "../policy.store.ts";
import { deleteSessionByToken, insertSession } from "../session.store.ts";
import { deletePendingSignIn, findUserOfSubject, insertSignIn, putProviderUser } from "../sign-in.store.ts";
import { applyRoles, memberOf, type SeatLimits } from "./apply-roles.ts";
import { decideRole } from "./decide-role.rule.ts";
import type { ProviderAnswer } from "./oidc-provider.ts";
import { ProviderError } from "./provider-error.ts";
import type { Provider, Providers } from "./providers.ts";
import type { ProviderAccount } from "./read-claims.rule.ts";

/** The dependencies of a sign-in with a provider. */
export interface ProviderContext {
  em(): EntityManager;
  providers: Providers;
  /** Returns the seats of a team's plan; null for no limit. */
  seatLimit(teamId: string): Promise<number | null>;
  /** Whether a user without a team or invitation gets a team. */
  isOpen: boolean;
  warn(message: string): void;
}

/** Starts the sign-in of a browser. @returns the provider's URL to open. Null for an unknown provider */
export async function beginProviderSignIn(
  context: ProviderContext,
  { provider: id, browserHash, next }: BeginProviderSignIn,
): Promise<{ url: string } | { refusal: ProviderSignInRefusal } | null> {
  const provider = await context.providers.find(id);
  if (!provider) return null;
  const [state, nonce, verifier] = [secret(), secret(), secret()];
  try {
    const url = await provider.oidc.authorizeUrl({ state, nonce, verifier });
    await insertSignIn(context.em(), {
      ...{ stateHash: hashKey(state), browserHash, provider: id, next },
      ...{ nonce, verifier },
    });
    return { url };
  } catch (error) {
    return { refusal: await explain(context, provider, error) };
  }
}

/** Finishes the sign-in of the browser that started it, once. Null for an unknown provider. */
export async function finishProviderSignIn(
  context: ProviderContext,
  params: FinishProviderSignIn,
): Promise<{ result: ProviderSignedIn | null; changedIds: string[] }> {
  const refused = (refusal: ProviderSignInRefusal) => ({ result: { refusal }, changedIds: [] });
  const provider = await context.providers.find(params.provider);
  if (!provider) return { result: null, changedIds: [] };
  const query = new URLSearchParams(params.query);
  const state = query.get("state") ?? "";
  const pending = await deletePendingSignIn(context.em(), {
    ...{ stateHash: hashKey(state), browserHash: params.browserHash, provider: provider.id },
  });
  if (!pending || pending.nonce === null) return refused("state");
  const { nonce, verifier, next } = pending;
  let answer: ProviderAnswer;
  try {
    answer = await provider.oidc.accountOf(query, { state, nonce, verifier });
  } catch (error) {
    return refused(await explain(context, provider, error));
  }
  const limits = await seatLimits(context, provider, answer.account);
  const completed = await context
    .em()
    .transactional(tx => completeSignIn(tx, { ...context, provider, answer, limits }, params))
    .catch(error => {
      if (!(error instanceof NotAdmitted)) throw error;
      return { refusal: error.refusal, changedIds: [] };
    });
  const { changedIds } = completed;
  if (!("refusal" in completed)) return { result: { actor: completed.actor, next }, changedIds };
  await note(context, provider, completed.refusal, answer.account.login);
  return { result: { refusal: completed.refusal }, changedIds };
}

/** Rolls back the first sign-in of a user without a team here. */
class NotAdmitted extends Error {
  readonly refusal: ProviderSignInRefusal;

  constructor(refusal: ProviderSignInRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

interface Completing extends Pick<ProviderContext, "isOpen"> {
  provider: Provider;
  answer: ProviderAnswer;
  limits: SeatLimits;
}

/**
 * Saves the user, the roles, and the session. A refused user who signed in before loses what the groups no longer give.
 * A new one leaves no trace. @throws NotAdmitted
 */
async function completeSignIn(
  tx: EntityManager,
  { provider, answer, limits, isOpen }: Completing,
  { tokenHash, before, browser }: FinishProviderSignIn,
): Promise<{ changedIds: string[] } & ({ actor: Actor } | { refusal: ProviderSignInRefusal })> {
  const { account, sid, idToken } = answer;
  const isNew = (await findUserOfSubject(tx, provider, account.subject)) === null;
  const id = await putProviderUser(tx, newId("user"), provider, account);
  const actor: Actor = { kind: "user", id, name: account.login };
  const applied = await applyRoles(tx, { provider, actor, account }, limits);
  const changedIds = [id, ...applied.changedIds];
  const refuse = (refusal: ProviderSignInRefusal) => {
    if (isNew) throw new NotAdmitted(refusal);
    return { refusal, changedIds };
  };
  const emails = account.email === null ? [] : [account.email];
  // A team's own provider vouches for addresses only towards this team.
  await acceptInvitations(tx, actor, { login: null, emails, teamId: provider.teamId }, applied.deactivatedIn);
  if ((await findTeamsOf(tx, actor)).length === 0) {
    if (provider.teamId !== null || !isOpen) return refuse(whyNot(applied));
    await createTeam(tx, actor, account.login, true);
  }
  const teamIds = (await findTeamsOf(tx, actor)).map(team => team.id);
  const closed = await findClosedTeams(tx, teamIds, { provider: provider.id, isEmergency: false });
  if (closed.length === teamIds.length) return refuse("other_provider");
  // A new token, so that a session that someone planted in the browser doesn't become this user's.
  if (before !== null) await deleteSessionByToken(tx, before);
  const origin = { provider: provider.id, sid, idToken };
  await insertSession(tx, { id: newId("ses"), tokenHash, actor, browser, origin });
  const opened = teamIds.filter(own => closed.every(({ id }) => id !== own));
  await noteSignIn(tx, actor, opened, { with: provider.client.name, browser });
  return { actor, changedIds };
}

function whyNot({
  lacksSeat,
  deactivatedIn,
}: {
  lacksSeat: boolean;
  deactivatedIn: readonly string[];
}): ProviderSignInRefusal {
  if (deactivatedIn.length > 0) return "deactivated";
  return lacksSeat ? "no_seat" : "not_invited";
}

/** Reads the limits of the teams that the user is about to join. Another service knows them. */
async function seatLimits(
  { em, seatLimit }: ProviderContext,
  provider: Provider,
  { subject, groups }: ProviderAccount,
): Promise<SeatLimits> {
  const userId = await findUserOfSubject(em(), provider, subject);
  const served = await findServedTeams(em(), provider, userId);
  const joined = served.filter(
    team => team.role === null && decideRole(team, groups, memberOf(team)) !== null,
  );
  return new Map(
    await Promise.all(joined.map(async ({ teamId }) => [teamId, await seatLimit(teamId)] as const)),
  );
}

/** Logs and notes why a provider's answer is refused. @throws another error */
async function explain(
  context: ProviderContext,
  provider: Provider,
  error: unknown,
): Promise<ProviderSignInRefusal> {
  if (!(error instanceof ProviderError)) throw error;
  context.warn(LOG_MESSAGES.providerFailed(provider.client.name, error.message));
  await note(context, provider, `${error.failure}: ${error.message}`, null);
  return error.failure;
}

function note(
  { em }: ProviderContext,
  { id, teamId, client }: Provider,
  reason: string,
  target: string | null,
): Promise<void> {
  const actor: Actor = { kind: "service", id, name: client.name };
  return noteRefusal(em(), { teamId: teamId ?? DEFAULT_TEAM_ID, actor, target, reason });
}

/** 256 bits. */
function secret(): string {
  return randomBytes(32).toString("base64url");
}
