import { randomBytes } from "node:crypto";
import type { EntityManager } from "../../../mixins/database.ts";
import { hashKey } from "../../../shared/api-keys.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";
import type { BeginSignIn, FinishSignIn, SignedIn } from "../../../shared/contracts/teams/team-actions.ts";
import { newId } from "../../../shared/ids.ts";
import { createTeam } from "../manage-team.ts";
import { findMember, putMember, removeInvitation } from "../members/member.store.ts";
import { findTeamsOf, insertActivity, lockTeam } from "../team.store.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { type Account, type CodeHost, CodeHostError } from "./code-host.ts";
import { insertSession, removeSessionByToken } from "./session.store.ts";
import { findInvitationsFor, insertSignIn, putUser, takeSignIn } from "./sign-in.store.ts";

/** What people sign in with. */
export interface SignInContext {
  em(): EntityManager;
  codeHost: CodeHost;
  /** Where the code host sends people back to. */
  redirectUrl: string;
  /** Whether who is in no team, and was not invited, gets one of her own. */
  isOpen: boolean;
  warn(message: string): void;
}

/** Begins to sign a browser in. @returns where it is to go at the code host */
export async function beginSignIn(
  { em, codeHost, redirectUrl }: SignInContext,
  { browserHash, next }: BeginSignIn,
): Promise<{ url: string }> {
  const [state, verifier] = [secret(), secret()];
  await insertSignIn(em(), { stateHash: hashKey(state), browserHash, verifier, next });
  return { url: codeHost.authorizeUrl({ state, verifier, redirectUrl }) };
}

/** Signs in the browser that comes back from the code host: the one that began it, once. */
export async function finishSignIn(context: SignInContext, params: FinishSignIn): Promise<SignedIn> {
  const { em, codeHost, redirectUrl } = context;
  const begun = await takeSignIn(em(), hashKey(params.state), params.browserHash);
  if (!begun) return { refusal: "state" };
  let account: Account;
  try {
    account = await codeHost.accountOf({ code: params.code, verifier: begun.verifier, redirectUrl });
  } catch (error) {
    if (!(error instanceof CodeHostError)) throw error;
    context.warn(LOG_MESSAGES.signInRejected(error.message));
    return { refusal: error.refused ? "code" : "unreachable" };
  }
  try {
    const actor = await em().transactional(tx => enter(tx, context, account, params));
    return { actor, next: begun.next };
  } catch (error) {
    if (error instanceof NotInvited) return { refusal: "not_invited" };
    throw error;
  }
}

/** Undoes the sign-in of somebody who has no team here. */
class NotInvited extends Error {}

/** The person with her session and her teams. @throws NotInvited */
async function enter(
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
  if (before !== null) await removeSessionByToken(tx, before);
  await insertSession(tx, { id: newId("ses"), tokenHash, actor, browser });
  return actor;
}

async function acceptInvitations(tx: EntityManager, actor: Actor, account: Account): Promise<void> {
  for (const { id, teamId, role } of await findInvitationsFor(tx, account)) {
    await lockTeam(tx, teamId);
    // Taken back a moment ago.
    if (!(await removeInvitation(tx, teamId, id))) continue;
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
