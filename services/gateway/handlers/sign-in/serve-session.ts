import { hashKey } from "../../../../shared/api-keys.ts";
import { call } from "../../../../shared/contracts/bus.ts";
import { countsAs, type Identity } from "../../../../shared/contracts/teams/caller.ts";
import type { SessionView } from "../../../../shared/contracts/teams/sessions.ts";
import { chooseTeam, teamNamedBy } from "../../auth/admit.ts";
import { addressOf } from "../../auth/authenticate.ts";
import { nameBrowser } from "../../auth/name-browser.ts";
import { refuseOtherOrigins } from "../../auth/same-origin.ts";
import {
  clearSessionCookie,
  makeToken,
  sessionTokenOf,
  setSessionCookie,
} from "../../auth/session-cookie.ts";
import type { Gateway } from "../../gateway-context.ts";
import type { Answer, Input } from "../../routes/route.ts";

/** Answers with the caller. @throws ServiceError not_found for another team */
export async function serveSession(_gateway: Gateway, { identity, req }: Input): Promise<Answer> {
  return { status: 200, body: viewOf(identityOf(identity), teamNamedBy(req)) };
}

/**
 * Signs a browser in with an API key. @throws ServiceError unauthorized, rate_limited; forbidden from another site
 */
export async function signInWithKey(
  gateway: Gateway,
  { body, context, req, res }: Input<{ apiKey: string }>,
): Promise<Answer> {
  refuseOtherOrigins(req, gateway.site);
  const address = addressOf(req);
  // The hash is looked up, so that response times don't reveal how much of a key is right.
  const keyHash = hashKey(body.apiKey);
  await gateway.authenticator.checkSignIn(context, keyHash, address);
  await gateway.keySignInLimit.take(keyHash, res);
  const token = makeToken();
  const before = sessionTokenOf(req);
  const identity = await call(context, "teams.openSession", {
    keyHash,
    tokenHash: hashKey(token),
    before: before && hashKey(before),
    browser: nameBrowser(req.headers["user-agent"]),
  });
  if (!identity) throw await gateway.authenticator.countWrongSignIn(address);
  if (before !== null) gateway.authenticator.invalidateCredential({ kind: "session", hash: hashKey(before) });
  setSessionCookie(res, gateway.site, token);
  return { status: 201, body: viewOf(identity, undefined) };
}

/** Signs a browser out. An API key has no session to end. */
export async function signOut(gateway: Gateway, { identity, context, res }: Input): Promise<Answer> {
  const { session } = identityOf(identity);
  const returnUrl = `${gateway.site.baseUrl}/sign-in`;
  const ended = session && (await call(context, "teams.signOut", { id: session.id, returnUrl }));
  clearSessionCookie(res, gateway.site);
  return ended?.signOutUrl ? { status: 200, body: ended } : { status: 204, body: null };
}

function viewOf(identity: Identity, teamId: string | undefined): SessionView {
  const { actor, teams, session, closedTeams } = identity;
  const hasTeam = teamId !== undefined || teams.length > 0 || closedTeams !== undefined;
  return {
    ...{ actor, countsAs: countsAs(identity), teams },
    team: hasTeam ? chooseTeam(identity, teamId) : null,
    expiresAt: session?.expiresAt ?? null,
    signedInWith: session && wayOf(session, actor),
  };
}

function wayOf(
  { provider }: NonNullable<Identity["session"]>,
  { kind }: Identity["actor"],
): SessionView["signedInWith"] {
  if (provider !== null) return "provider";
  return kind === "key" ? "key" : "code-host";
}

/** Returns the identity of a request. @throws Error on a public route */
export function identityOf(identity: Identity | undefined): Identity {
  if (!identity) throw new Error("This route was called without an identity.");
  return identity;
}
