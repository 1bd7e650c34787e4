import type { ServerResponse } from "node:http";
import { hashKey } from "../../shared/api-keys.ts";
import { call } from "../../shared/contracts/bus.ts";
import type { CallbackQuery, LoginQuery } from "../../shared/contracts/people.ts";
import type { SignInRefusal } from "../../shared/contracts/team-actions.ts";
import type { Gateway } from "./gateway.ts";
import { answerFailed, bindErrand, type Errand, endErrand, redirect } from "./led-browser.ts";
import { nameBrowser } from "./name-browser.ts";
import { ownPath } from "./own-path.ts";
import type { Input } from "./route.ts";
import { makeToken, sessionTokenOf, setSessionCookie } from "./session-cookie.ts";

const SIGN_IN: Errand = {
  cookie: "vrs_sign_in",
  path: "/auth",
  seconds: 600,
  failed: "Not signed in",
  again: '<a href="login">Sign in again</a>',
};

/** Leads a browser to the code host to sign in. @throws ServiceError rate_limited */
export async function serveLogin(
  gateway: Gateway,
  { context, query, req, res }: Input<unknown, LoginQuery>,
): Promise<undefined> {
  await gateway.signInLimit.take(req.socket.remoteAddress ?? "", res);
  const next = ownPath(query.next);
  const browser = makeToken();
  const begun = await call(context, "teams.beginSignIn", { browserHash: hashKey(browser), next });
  if (!begun) return void answerFailed(res, SIGN_IN, 404, NOT_SET_UP);
  bindErrand(res, gateway.site, SIGN_IN, browser);
  redirect(res, begun.url);
}

/** Signs in a browser that comes back from the code host. @throws ServiceError rate_limited */
export async function serveCallback(
  gateway: Gateway,
  { context, query, req, res }: Input<unknown, CallbackQuery>,
): Promise<undefined> {
  await gateway.signInLimit.take(req.socket.remoteAddress ?? "", res);
  const browser = endErrand(req, res, gateway.site, SIGN_IN);
  const { code, state, error } = query;
  if (error !== undefined) return void answerFailed(res, SIGN_IN, 403, DENIED);
  if (code === undefined || state === undefined || browser === null) return answerRefusal(res, "state");
  const [token, before] = [makeToken(), sessionTokenOf(req)];
  const signedIn = await call(context, "teams.finishSignIn", {
    code,
    state,
    browserHash: hashKey(browser),
    tokenHash: hashKey(token),
    before: before && hashKey(before),
    browser: nameBrowser(req.headers["user-agent"]),
  });
  if (!signedIn) return void answerFailed(res, SIGN_IN, 404, NOT_SET_UP);
  if ("refusal" in signedIn) return answerRefusal(res, signedIn.refusal);
  if (before !== null) gateway.authenticator.forgetCredential({ kind: "session", hash: hashKey(before) });
  setSessionCookie(res, gateway.site, token);
  redirect(res, `${gateway.site.baseUrl}${signedIn.next}`);
}

const NOT_SET_UP =
  "Signing in with the code host is not set up here. Whoever runs this service sets CODEHOST_CLIENT_ID and CODEHOST_CLIENT_SECRET; until then POST /v1/session signs a browser in with an API key.";
const DENIED =
  "You did not allow this service to know who you are at the code host, so you are not signed in.";

const REFUSALS: Record<SignInRefusal, { status: number; text: string }> = {
  state: {
    status: 400,
    text: "This sign-in was not begun in this browser, was used already, or took longer than ten minutes. Begin again.",
  },
  code: {
    status: 400,
    text: "The code host did not accept this sign-in. Begin again; if it stays, whoever runs this service should check CODEHOST_CLIENT_ID and CODEHOST_CLIENT_SECRET.",
  },
  unreachable: { status: 502, text: "The code host does not answer. Try again in a while." },
  not_invited: {
    status: 403,
    text: "You are in no team here, and were not invited to one. Ask an admin of a team to add your login.",
  },
};

function answerRefusal(res: ServerResponse, refusal: SignInRefusal): undefined {
  const { status, text } = REFUSALS[refusal];
  answerFailed(res, SIGN_IN, status, text);
}
