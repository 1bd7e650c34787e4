import { call } from "../../../shared/contracts/bus.ts";
import { NOTICE_KINDS } from "../../../shared/contracts/teams/notices.ts";
import type { Gateway } from "../gateway-context.ts";
import { answerHtml, htmlPage } from "../http/html-page.ts";
import type { Input } from "../routes/route.ts";
import { ALERT_PAGES, NOTICE_PAGES, PROJECT_PAGES } from "../texts/pages.ts";

/** Pages that the signed link of an email opens without signing in. GET requests change nothing. */

/** Shows a page that asks whether to stop notices. */
export async function showStopNoticesPage(gateway: Gateway, { params, res }: Input): Promise<undefined> {
  const kinds = await kindsOf(gateway, params);
  if (!kinds) return answer(res, ALERT_PAGES.deadLinkTitle, `<p>${NOTICE_PAGES.deadLink}</p>`, 401);
  const what = kinds.map(kind => `<li>${NOTICE_PAGES.kinds[kind]}</li>`).join("");
  const button = `<form method="post" action=""><button>${NOTICE_PAGES.button}</button></form>`;
  return answer(res, NOTICE_PAGES.title, `<p>${NOTICE_PAGES.ask}</p><ul>${what}</ul>${button}`);
}

/** Stops notices. Mail programs use it for one-click unsubscribe. */
export async function stopNotices(gateway: Gateway, { params, res, context }: Input): Promise<undefined> {
  const kinds = await kindsOf(gateway, params);
  if (!kinds) return answer(res, ALERT_PAGES.deadLinkTitle, `<p>${NOTICE_PAGES.deadLink}</p>`, 401);
  await call(context, "teams.stopNotices", { userId: params.user ?? "", kinds });
  return answer(res, NOTICE_PAGES.doneTitle, `<p>${NOTICE_PAGES.done}</p>`);
}

async function kindsOf(gateway: Gateway, { user = "", kinds = "", signature = "" }: Record<string, string>) {
  if (!(await gateway.links()).opensStopNotices(user, kinds, signature)) return null;
  const named = new Set(kinds.split("."));
  return NOTICE_KINDS.filter(kind => named.has(kind));
}

/** Shows a page that asks whether to unsubscribe an address from a project. */
export async function showUnsubscribeProjectPage(
  gateway: Gateway,
  { params, res }: Input,
): Promise<undefined> {
  const address = await projectAddressIn(gateway, params);
  if (address === null)
    return answer(res, ALERT_PAGES.deadLinkTitle, `<p>${PROJECT_PAGES.deadLink}</p>`, 401);
  const button = `<form method="post" action=""><button>${PROJECT_PAGES.button}</button></form>`;
  return answer(res, ALERT_PAGES.unsubscribeTitle, `<p>${PROJECT_PAGES.ask}</p>${button}`);
}

/** Unsubscribes an address from a project. Mail programs use it for one-click unsubscribe. */
export async function unsubscribeProject(
  gateway: Gateway,
  { params, res, context }: Input,
): Promise<undefined> {
  const address = await projectAddressIn(gateway, params);
  if (address === null)
    return answer(res, ALERT_PAGES.deadLinkTitle, `<p>${PROJECT_PAGES.deadLink}</p>`, 401);
  const { team = "", id = "" } = params;
  await call(context, "alerts.unsubscribeProject", { teamId: team, id, address });
  return answer(res, ALERT_PAGES.unsubscribedTitle, `<p>${PROJECT_PAGES.done}</p>`);
}

/** Returns the address in a link. Null if this service didn't sign it. */
async function projectAddressIn(
  gateway: Gateway,
  { team = "", id = "", address = "", signature = "" }: Record<string, string>,
): Promise<string | null> {
  const isValid = (await gateway.links()).opensUnsubscribeProject(team, id, address, signature);
  return isValid ? Buffer.from(address, "base64url").toString("utf8") : null;
}

function answer(res: Input["res"], title: string, main: string, status = 200): undefined {
  res.setHeader("Cache-Control", "no-store");
  answerHtml(res, status, htmlPage(title, `<h1>${title}</h1>${main}`));
}
