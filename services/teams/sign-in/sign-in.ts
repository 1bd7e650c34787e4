import { randomBytes } from "node:crypto";
import type { EntityManager } from "../../../mixins/database.ts";
import { hashKey } from "../../../shared/api-keys.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";
import type { BeginSignIn, FinishSignIn, SignedIn } from "../../../shared/contracts/teams/team-actions.ts";
import { newId } from "../../../shared/ids.ts";
import { createTeam } from "../manage-team.ts";
import { deleteInvitation, findMember, putMember } from "../members/member.store.ts";
import { findTeamsOf, insertActivity, lockTeam } from "../team.store.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { type Account, type CodeHost, CodeHostError } from "./code-host.ts";
import { deleteSessionByToken, insertSession } from "./session.store.ts";
import { deletePendingSignIn, findInvitationsFor, insertSignIn, putUser } from "./sign-in.store.ts";

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
  await insertSignIn(em(), { stateHash: hashKey(state), browserHash, verifier, next });
  return { url: codeHost.authorizeUrl({ state, verifier, redirectUrl }) };
}

/** Finishes the sign-in of the browser that started it, once. */
export async function finishSignIn(context: SignInContext, params: FinishSignIn): Promise<SignedIn> {
  const { em, codeHost, redirectUrl } = context;
  const pending = await deletePendingSignIn(em(), hashKey(params.state), params.browserHash);
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
    throw error;
  }
}

/** Rolls back the sign-in of a user without a team here. */
class NotInvited extends Error {}

/** Saves the user, their session, and their teams. @throws NotInvited */
async function completeSignIn(
  tx: EntityManager,
  { isOpen }: SignInContext,
  account: Account,
  { tokenHash, before, browser }: FinishSignIn,
): Promise<Actor> {
  const id = await putUser(tx, newId("user"), account);
  const actor: Actor = { kind: "user", id, name: account.login };
  await acceptInvitations(tx, actor, account);
  if ((await findTeamsOf(tx, actor)).length === 0) {
    if (!isOpen) throw new NotInvited();
    await createTeam(tx, actor, account.login, true);
  }
  if (before !== null) await deleteSessionByToken(tx, before);
  await insertSession(tx, { id: newId("ses"), tokenHash, actor, browser });
  return actor;
}

async function acceptInvitations(tx: EntityManager, actor: Actor, account: Account): Promise<void> {
  for (const { id, teamId, role } of await findInvitationsFor(tx, account)) {
    await lockTeam(tx, teamId);
    // The invitation was withdrawn just before.
    if (!(await deleteInvitation(tx, teamId, id))) continue;
    if (await findMember(tx, teamId, actor.id)) continue;
    await putMember(tx, teamId, actor.id, role);
    const noted = { type: "member.joined", actor, target: actor.name, details: { role } } as const;
    await insertActivity(tx, { ...noted, id: newId("act"), teamId });
  }
}

/** 256 bits. */
function secret(): string {
  return randomBytes(32).toString("base64url");
}
