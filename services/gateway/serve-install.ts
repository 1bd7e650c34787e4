import { hashKey } from "../../shared/api-keys.ts";
import { call } from "../../shared/contracts/bus.ts";
import type { InstallQuery, InstallRefusal } from "../../shared/contracts/platform.ts";
import type { Gateway } from "./gateway.ts";
import { answerHtml, htmlPage } from "./html-page.ts";
import { answerFailed, bindErrand, type Errand, endErrand, redirect } from "./led-browser.ts";
import type { Input } from "./route.ts";
import { makeToken } from "./session-cookie.ts";

const INSTALL: Errand = {
  cookie: "vrs_install",
  path: "/api/install",
  seconds: 1_800,
  failed: "Not installed",
  again: '<a href="install">Install again</a>',
};

/** Leads a browser to the platform to install the integration, and takes it when it comes back. @throws ServiceError rate_limited */
export async function serveInstall(
  gateway: Gateway,
  input: Input<unknown, InstallQuery>,
): Promise<undefined> {
  const { query, req, res } = input;
  await gateway.signInLimit.take(req.socket.remoteAddress ?? "", res);
  if (query.error !== undefined) return void answerFailed(res, INSTALL, 403, DENIED);
  if (query.code === undefined) return begin(gateway, input);
  const browser = endErrand(req, res, gateway.site, INSTALL);
  const finished = await call(input.context, "platform.finishInstall", {
    code: query.code,
    state: query.state ?? null,
    browserHash: browser && hashKey(browser),
    configurationId: query.configurationId ?? null,
    next: query.next ?? null,
  });
  if (!finished) return void answerFailed(res, INSTALL, 404, NOT_SET_UP);
  if ("refusal" in finished) {
    const { status, text } = REFUSALS[finished.refusal];
    return void answerFailed(res, INSTALL, status, text);
  }
  redirect(res, finished.url);
}

/** The page after an installation, where the platform has none of its own. */
export async function serveInstalled(_gateway: Gateway, { res }: Input): Promise<undefined> {
  answerHtml(res, 200, htmlPage("Installed", `<h1>Installed</h1><p>${INSTALLED}</p>`));
}

async function begin(gateway: Gateway, { context, res }: Input): Promise<undefined> {
  const browser = makeToken();
  const begun = await call(context, "platform.beginInstall", { browserHash: hashKey(browser) });
  if (!begun) return void answerFailed(res, INSTALL, 404, NOT_SET_UP);
  bindErrand(res, gateway.site, INSTALL, browser);
  redirect(res, begun.url);
}

const INSTALLED =
  "From now on every preview deployment of the projects that you selected is checked. You can close this page.";
const NOT_SET_UP =
  "Installing is not set up here. Whoever runs this service sets PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, PLATFORM_AUTHORIZE_URL, PLATFORM_TOKEN_URL and PLATFORM_API_URL.";
const DENIED = "You did not allow the integration at the platform, so nothing was installed.";

const REFUSALS: Record<InstallRefusal, { status: number; text: string }> = {
  state: {
    status: 400,
    text: "This installation was not begun in this browser, was used already, or took longer than half an hour. Begin again.",
  },
  code: {
    status: 400,
    text: "The platform did not accept this installation. Begin again; if it stays, whoever runs this service finds the reason in its log, and should check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET.",
  },
  unreachable: { status: 502, text: "The platform does not answer. Try again in a while." },
};
