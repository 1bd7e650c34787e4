import type { ServerResponse } from "node:http";
import { hashKey } from "../../../../shared/api-keys.ts";
import { call } from "../../../../shared/contracts/bus.ts";
import type { ProviderLoginQuery, WaysInQuery } from "../../../../shared/contracts/teams/sign-in.ts";
import type {
  LogoutRefusal,
  ProviderSignInRefusal,
} from "../../../../shared/contracts/teams/team-actions.ts";
import { addressOf } from "../../auth/authenticate.ts";
import {
  answerFlowFailed,
  type BrowserFlow,
  endBrowserFlow,
  redirect,
  startBrowserFlow,
} from "../../auth/browser-flow.ts";
import { nameBrowser } from "../../auth/name-browser.ts";
import { ownPath } from "../../auth/same-origin.ts";
import { makeToken, type Site, sessionTokenOf, setSessionCookie } from "../../auth/session-cookie.ts";
import type { Gateway } from "../../gateway-context.ts";
import { escaped } from "../../http/html-page.ts";
import { readRawBody } from "../../http/read-input.ts";
import type { Answer, Input } from "../../routes/route.ts";
import { PROVIDER_SIGN_IN_PAGE, SIGN_IN_PAGE } from "../../texts/pages.ts";

/** A code of some providers has more than 1 KiB. */
const MAX_QUERY_CHARS = 12_000;

const flowOf = ({ baseUrl }: Site): BrowserFlow => ({
  cookie: "vrs_provider_sign_in",
  path: "/auth/oidc",
  seconds: 600,
  failedTitle: SIGN_IN_PAGE.title,
  retryLink: PROVIDER_SIGN_IN_PAGE.again(escaped(`${baseUrl}/sign-in`)),
});

/** Answers with the ways to sign in, by default those of the installation. */
export async function serveSignInMethods(
  _gateway: Gateway,
  { context, query }: Input<unknown, WaysInQuery>,
): Promise<Answer> {
  return { status: 200, body: await call(context, "teams.waysIn", query) };
}

/** Redirects a browser to an identity provider to sign in. @throws ServiceError rate_limited */
export async function serveProviderLogin(
  gateway: Gateway,
  { context, params: { provider = "" }, query, req, res }: Input<unknown, ProviderLoginQuery>,
): Promise<undefined> {
  await gateway.signInLimit.take(addressOf(req), res);
  const browser = makeToken();
  const started = await call(context, "teams.beginProviderSignIn", {
    ...{ provider, browserHash: hashKey(browser), next: ownPath(query.next) },
  });
  if (!started) return answerUnknown(gateway, res);
  if ("refusal" in started) return answerRefusal(gateway, res, started.refusal);
  startBrowserFlow(res, gateway.site, flowOf(gateway.site), browser);
  redirect(res, started.url);
}

/** Signs in a browser that returns from an identity provider. @throws ServiceError rate_limited */
export async function serveProviderCallback(
  gateway: Gateway,
  { context, params: { provider = "" }, req, res }: Input,
): Promise<undefined> {
  const { site, authenticator, signInLimit } = gateway;
  await signInLimit.take(addressOf(req), res);
  const browser = endBrowserFlow(req, res, site, flowOf(site));
  const query = (req.url ?? "").split("?").slice(1).join("?");
  if (browser === null || query.length > MAX_QUERY_CHARS) return answerRefusal(gateway, res, "state");
  const [token, before] = [makeToken(), sessionTokenOf(req)];
  const signedIn = await call(context, "teams.finishProviderSignIn", {
    ...{ provider, query, browserHash: hashKey(browser), tokenHash: hashKey(token) },
    before: before && hashKey(before),
    browser: nameBrowser(req.headers["user-agent"]),
  });
  if (!signedIn) return answerUnknown(gateway, res);
  if ("refusal" in signedIn) return answerRefusal(gateway, res, signedIn.refusal);
  if (before !== null) authenticator.invalidateCredential({ kind: "session", hash: hashKey(before) });
  setSessionCookie(res, site, token);
  redirect(res, `${site.baseUrl}${signedIn.next}`);
}

/** Ends the sessions that an identity provider ended (OpenID Connect Back-Channel Logout 1.0). @throws ServiceError */
export async function serveProviderLogout(
  gateway: Gateway,
  { context, params: { provider = "" }, req, res }: Input,
): Promise<Answer> {
  await gateway.exchangeLimit.take(addressOf(req), res);
  const token = new URLSearchParams((await readRawBody(req)).toString()).get("logout_token");
  const refusal: LogoutRefusal | null =
    token === null
      ? { kind: "invalid", message: PROVIDER_SIGN_IN_PAGE.noLogoutToken }
      : await call(context, "teams.endProviderSessions", { provider, token });
  if (!refusal) return { status: 200, body: {} };
  const body = { error: "invalid_request", error_description: refusal.message };
  return { status: LOGOUT_STATUS[refusal.kind], body };
}

const LOGOUT_STATUS: Record<LogoutRefusal["kind"], number> = { unknown: 404, invalid: 400, unavailable: 503 };

const REFUSALS: Record<ProviderSignInRefusal, { status: number; text: string }> = {
  state: { status: 400, text: SIGN_IN_PAGE.state },
  unreachable: { status: 502, text: PROVIDER_SIGN_IN_PAGE.unreachable },
  denied: { status: 403, text: PROVIDER_SIGN_IN_PAGE.denied },
  client: { status: 502, text: PROVIDER_SIGN_IN_PAGE.client },
  token: { status: 400, text: PROVIDER_SIGN_IN_PAGE.token },
  not_invited: { status: 403, text: PROVIDER_SIGN_IN_PAGE.notInvited },
  no_seat: { status: 403, text: PROVIDER_SIGN_IN_PAGE.noSeat },
  deactivated: { status: 403, text: PROVIDER_SIGN_IN_PAGE.deactivated },
  other_provider: { status: 403, text: SIGN_IN_PAGE.providerRequired },
};

function answerRefusal({ site }: Gateway, res: ServerResponse, refusal: ProviderSignInRefusal): undefined {
  const { status, text } = REFUSALS[refusal];
  answerFlowFailed(res, flowOf(site), status, text);
}

function answerUnknown({ site }: Gateway, res: ServerResponse): undefined {
  answerFlowFailed(res, flowOf(site), 404, PROVIDER_SIGN_IN_PAGE.notConfigured);
}
