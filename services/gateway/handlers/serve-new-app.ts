import { call } from "../../../shared/contracts/bus.ts";
import type { NewAppForm, NewAppQuery } from "../../../shared/contracts/code-host/code-host.ts";
import type { Gateway } from "../gateway-context.ts";
import { answerHtml, escaped, htmlPage } from "../http/html-page.ts";
import type { Input } from "../routes/route.ts";
import { NEW_APP_PAGE } from "../texts/pages.ts";

/**
 * Answers with the page whose button creates the code-host app. The manifest must come from a form in the browser.
 */
export async function serveNewApp(
  _gateway: Gateway,
  { context, query, res }: Input<unknown, NewAppQuery>,
): Promise<undefined> {
  const form = await call(context, "scm.newApp", query);
  res.setHeader("Cache-Control", "no-store");
  if (form) answerHtml(res, 200, htmlPage(TITLE, mainOf(form)), new URL(form.action).origin);
  else answerHtml(res, 404, htmlPage(TITLE, EXPIRED));
}

const TITLE = NEW_APP_PAGE.title;
const EXPIRED = `<h1>${NEW_APP_PAGE.expiredTitle}</h1>
<p>${NEW_APP_PAGE.expired} <a href="../../settings/code-host">${NEW_APP_PAGE.again}</a>.</p>`;

function mainOf({ action, name, webhookUrl, manifest }: NewAppForm): string {
  return `<h1>${TITLE}</h1>
<p>${NEW_APP_PAGE.what(escaped(name))}</p>
<p>${NEW_APP_PAGE.webhook(escaped(webhookUrl))}</p>
<p>${NEW_APP_PAGE.next}</p>
<form method="post" action="${escaped(action)}"><input type="hidden" name="manifest" value="${escaped(manifest)}"><button>${NEW_APP_PAGE.create}</button></form>`;
}
