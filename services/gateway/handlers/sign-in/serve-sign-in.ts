import type { ServerResponse } from "node:http";
import { hashKey } from "../../../../shared/api-keys.ts";
import { call } from "../../../../shared/contracts/bus.ts";
import type { CallbackQuery, LoginQuery } from "../../../../shared/contracts/teams/sessions.ts";
import type { SignInRefusal } from "../../../../shared/contracts/teams/team-actions.ts";
import {
  answerFlowFailed,
  type BrowserFlow,
  endBrowserFlow,
  redirect,
  startBrowserFlow,
} from "../../auth/browser-flow.ts";
import { nameBrowser } from "../../auth/name-browser.ts";
import { ownPath } from "../../auth/same-origin.ts";
import { makeToken, sessionTokenOf, setSessionCookie } from "../../auth/session-cookie.ts";
import type { Gateway } from "../../gateway-context.ts";
import { escaped } from "../../http/html-page.ts";
import type { Input } from "../../routes/route.ts";
import { SIGN_IN_PAGE } from "../../texts/pages.ts";

const SIGN_IN: BrowserFlow = {
  cookie: "vrs_sign_in",
  path: "/auth",
  seconds: 600,
  failedTitle: SIGN_IN_PAGE.title,
  retryLink: SIGN_IN_PAGE.again,
};

/** Redirects a browser to the code host to sign in. @throws ServiceError rate_limited */
export async function serveLogin(
  gateway: Gateway,
  { context, query, req, res }: Input<unknown, LoginQuery>,
): Promise<undefined> {
  await gateway.signInLimit.take(req.socket.remoteAddress ?? "", res);
  const next = ownPath(query.next);
  const browser = makeToken();
  const started = await call(context, "teams.beginSignIn", { browserHash: hashKey(browser), next });
  if (!started) return void answerFlowFailed(res, SIGN_IN, 404, SIGN_IN_PAGE.notConfigured);
  startBrowserFlow(res, gateway.site, SIGN_IN, browser);
  redirect(res, started.url);
}

/** Signs in a browser that returns from the code host. @throws ServiceError rate_limited */
export async function serveCallback(
  gateway: Gateway,
  { context, query, req, res }: Input<unknown, CallbackQuery>,
): Promise<undefined> {
  await gateway.signInLimit.take(req.socket.remoteAddress ?? "", res);
  const browser = endBrowserFlow(req, res, gateway.site, SIGN_IN);
  const { code, state, error } = query;
  if (error !== undefined) return void answerFlowFailed(res, SIGN_IN, 403, SIGN_IN_PAGE.denied);
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
  if (!signedIn) return void answerFlowFailed(res, SIGN_IN, 404, SIGN_IN_PAGE.notConfigured);
  if ("refusal" in signedIn) return refuse(gateway, res, signedIn);
  if (before !== null) gateway.authenticator.invalidateCredential({ kind: "session", hash: hashKey(before) });
  setSessionCookie(res, gateway.site, token);
  redirect(res, `${gateway.site.baseUrl}${signedIn.next}`);
}

/** Leads to the provider that the user's team requires. */
function refuse(
  { site }: Gateway,
  res: ServerResponse,
  { refusal, provider }: { refusal: SignInRefusal; provider?: string | undefined },
): undefined {
  const link = provider && SIGN_IN_PAGE.withProvider(escaped(`${site.baseUrl}/auth/oidc/${provider}`));
  return answerRefusal(res, refusal, link);
}

const REFUSALS: Record<SignInRefusal, { status: number; text: string }> = {
  state: {
    status: 400,
    text: SIGN_IN_PAGE.state,
  },
  code: {
    status: 400,
    text: SIGN_IN_PAGE.code,
  },
  provider_required: { status: 403, text: SIGN_IN_PAGE.providerRequired },
  unreachable: { status: 502, text: SIGN_IN_PAGE.unreachable },
  not_invited: {
    status: 403,
    text: SIGN_IN_PAGE.notInvited,
  },
};

function answerRefusal(
  res: ServerResponse,
  refusal: SignInRefusal,
  retryLink = SIGN_IN.retryLink,
): undefined {
  const { status, text } = REFUSALS[refusal];
  answerFlowFailed(res, { ...SIGN_IN, retryLink }, status, text);
}
