import { randomBytes } from "node:crypto";
import type { EntityManager } from "../../../mixins/database.ts";
import { hashKey } from "../../../shared/api-keys.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";
import type { BeginSignIn, FinishSignIn, SignedIn } from "../../../shared/contracts/teams/team-actions.ts";
import { newId } from "../../../shared/ids.ts";
import { createTeam } from "../manage-team.ts";
import { findTeamsOf } from "../team.store.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { acceptInvitations } from "./accept-invitations.ts";
import { type Account, type CodeHost, CodeHostError } from "./code-host.ts";
import { noteRefusal } from "./note-refusal.ts";
import { noteSignIn } from "./note-sign-in.ts";
import { findClosedTeams } from "./policy.store.ts";
import { deleteSessionByToken, insertSession } from "./session.store.ts";
import { deletePendingSignIn, insertSignIn, putUser } from "./sign-in.store.ts";

/** The dependencies of a sign-in. */
export interface SignInContext {
  em(): EntityManager;
  codeHost: CodeHost;
  /** The URL that the code host redirects to. */
  redirectUrl: string;
  /** Whether a user without a team or invitation gets a team. */
  isOpen: boolean;
  warn(message: string): void;
}

/** Starts the sign-in of a browser. @returns the code host's URL to open */
export async function beginSignIn(
  { em, codeHost, redirectUrl }: SignInContext,
  { browserHash, next }: BeginSignIn,
): Promise<{ url: string }> {
  const [state, verifier] = [secret(), secret()];
  await insertSignIn(em(), {
    ...{ stateHash: hashKey(state), browserHash, provider: null, next },
    ...{ verifier, nonce: null },
  });
  return { url: codeHost.authorizeUrl({ state, verifier, redirectUrl }) };
}

/** Finishes the sign-in of the browser that started it, once. */
export async function finishSignIn(context: SignInContext, params: FinishSignIn): Promise<SignedIn> {
  const { em, codeHost, redirectUrl } = context;
  const pending = await deletePendingSignIn(em(), {
    ...{ stateHash: hashKey(params.state), browserHash: params.browserHash, provider: null },
  });
  if (!pending) return { refusal: "state" };
  let account: Account;
  try {
    account = await codeHost.accountOf({ code: params.code, verifier: pending.verifier, redirectUrl });
  } catch (error) {
    if (!(error instanceof CodeHostError)) throw error;
    context.warn(LOG_MESSAGES.signInRejected(error.message));
    return { refusal: error.refused ? "code" : "unreachable" };
  }
  try {
    const actor = await em().transactional(tx => completeSignIn(tx, context, account, params));
    return { actor, next: pending.next };
  } catch (error) {
    if (error instanceof NotInvited) return { refusal: "not_invited" };
    if (!(error instanceof ProviderRequired)) throw error;
    for (const { id: teamId } of error.teams)
      await noteRefusal(em(), { teamId, actor: error.actor, reason: "provider_required" });
    return { refusal: "provider_required", provider: error.teams[0]?.provider };
  }
}

/** Rolls back the sign-in of a user without a team here. */
class NotInvited extends Error {}

/** Rolls back the sign-in of a user whose teams all enforce a provider. */
class ProviderRequired extends Error {
  readonly actor: Actor;
  readonly teams: { id: string; provider: string }[];

  constructor(actor: Actor, teams: { id: string; provider: string }[]) {
    super();
    this.actor = actor;
    this.teams = teams;
  }
}

/** Returns the teams that a sign-in with the code host opens. @throws ProviderRequired if there are none */
async function requireOpenTeams(tx: EntityManager, actor: Actor): Promise<string[]> {
  const teamIds = (await findTeamsOf(tx, actor)).map(({ id }) => id);
  const closed = await findClosedTeams(tx, teamIds, { provider: null, isEmergency: false });
  if (closed.length === teamIds.length) throw new ProviderRequired(actor, closed);
  return teamIds.filter(own => closed.every(({ id }) => id !== own));
}

/** Saves the user, their session, and their teams. @throws NotInvited, ProviderRequired */
async function completeSignIn(
  tx: EntityManager,
  { isOpen }: SignInContext,
  account: Account,
  { tokenHash, before, browser }: FinishSignIn,
): Promise<Actor> {
  const id = await putUser(tx, newId("user"), account);
  const actor: Actor = { kind: "user", id, name: account.login };
  await acceptInvitations(tx, actor, { login: account.login, emails: account.emails, teamId: null });
  if ((await findTeamsOf(tx, actor)).length === 0) {
    if (!isOpen) throw new NotInvited();
    await createTeam(tx, actor, account.login, true);
  }
  const opened = await requireOpenTeams(tx, actor);
  if (before !== null) await deleteSessionByToken(tx, before);
  await insertSession(tx, { id: newId("ses"), tokenHash, actor, browser });
  await noteSignIn(tx, actor, opened, { browser });
  return actor;
}

/** 256 bits. */
function secret(): string {
  return randomBytes(32).toString("base64url");
}
