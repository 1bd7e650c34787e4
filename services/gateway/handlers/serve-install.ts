import { hashKey } from "../../../shared/api-keys.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { InstallQuery, InstallRefusal } from "../../../shared/contracts/platform/platform.ts";
import {
  answerFlowFailed,
  type BrowserFlow,
  endBrowserFlow,
  redirect,
  startBrowserFlow,
} from "../auth/browser-flow.ts";
import { makeToken, sessionTokenOf } from "../auth/session-cookie.ts";
import type { Gateway } from "../gateway-context.ts";
import { answerHtml, htmlPage } from "../http/html-page.ts";
import type { Input } from "../routes/route.ts";
import { INSTALL_PAGE } from "../texts/pages.ts";

const INSTALL: BrowserFlow = {
  cookie: "vrs_install",
  path: "/api/install",
  seconds: 1_800,
  failedTitle: INSTALL_PAGE.title,
  retryLink: INSTALL_PAGE.again,
};

/**
 * Redirects a browser to the platform to install the integration, and handles its return. @throws ServiceError
 * rate_limited
 */
export async function serveInstall(
  gateway: Gateway,
  input: Input<unknown, InstallQuery>,
): Promise<undefined> {
  const { query, req, res } = input;
  await gateway.signInLimit.take(req.socket.remoteAddress ?? "", res);
  if (query.error !== undefined) return void answerFlowFailed(res, INSTALL, 403, INSTALL_PAGE.denied);
  if (query.code === undefined) return start(gateway, input);
  const browser = endBrowserFlow(req, res, gateway.site, INSTALL);
  const finished = await call(input.context, "platform.finishInstall", {
    code: query.code,
    state: query.state ?? null,
    browserHash: browser && hashKey(browser),
    configurationId: query.configurationId ?? null,
    next: query.next ?? null,
    login: await loginIn(gateway, input),
  });
  if (!finished) return void answerFlowFailed(res, INSTALL, 404, INSTALL_PAGE.notConfigured);
  if ("refusal" in finished) {
    const { status, text } = REFUSALS[finished.refusal];
    return void answerFlowFailed(res, INSTALL, status, text);
  }
  redirect(res, finished.url);
}

/** Returns the login of the user who is signed in. Null without a session, or if sign-in is not available here. */
async function loginIn({ serves }: Gateway, { context, req }: Input): Promise<string | null> {
  const token = sessionTokenOf(req);
  if (token === null || !serves.has("GET /v1/session")) return null;
  const tokenHash = hashKey(token);
  // The platform's code expires within minutes. Operators can add an admin later.
  const identity = await call(context, "teams.authenticateSession", { tokenHash }).catch(() => null);
  return identity?.actor.kind === "user" ? identity.actor.name : null;
}

/** Shows the page after an installation, if the platform has none. */
export async function serveInstalled(_gateway: Gateway, { res }: Input): Promise<undefined> {
  const { installedTitle: title, installed } = INSTALL_PAGE;
  const page = htmlPage(title, `<h1>${title}</h1><p>${installed}</p>`);
  answerHtml(res, 200, page);
}

async function start(gateway: Gateway, { context, res }: Input): Promise<undefined> {
  const browser = makeToken();
  const started = await call(context, "platform.beginInstall", { browserHash: hashKey(browser) });
  if (!started) return void answerFlowFailed(res, INSTALL, 404, INSTALL_PAGE.notConfigured);
  startBrowserFlow(res, gateway.site, INSTALL, browser);
  redirect(res, started.url);
}

const REFUSALS: Record<InstallRefusal, { status: number; text: string }> = {
  state: {
    status: 400,
    text: INSTALL_PAGE.state,
  },
  code: {
    status: 400,
    text: INSTALL_PAGE.code,
  },
  unreachable: { status: 502, text: INSTALL_PAGE.unreachable },
};
