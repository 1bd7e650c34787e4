import type { ServerResponse } from "node:http";
import type { z } from "zod";
import { call } from "../../../shared/contracts/bus.ts";
import type { snoozeQuery } from "../../../shared/contracts/monitors/alerts.ts";
import { timeInWords } from "../../../shared/text/dates.ts";
import type { Gateway } from "../gateway-context.ts";
import { answerHtml, htmlPage } from "../http/html-page.ts";
import type { Input } from "../routes/route.ts";
import { ALERT_PAGES } from "../texts/pages.ts";

/**
 * Pages that the signed links of messages open. Chat tools and mail programs load links for previews, so GET
 * requests change nothing.
 */

const PRESETS = [
  { hours: 1, label: ALERT_PAGES.presets.hour },
  { hours: 8, label: ALERT_PAGES.presets.shift },
  { hours: 24, label: ALERT_PAGES.presets.day },
  { hours: 72, label: ALERT_PAGES.presets.days },
  { hours: 168, label: ALERT_PAGES.presets.week },
];

/** Shows a page that asks for how long to snooze. */
export async function showSnoozePage(gateway: Gateway, { params, res, context }: Input): Promise<undefined> {
  if (!(await opensSnooze(gateway, context, params))) return answerExpiredLink(res);
  const buttons = PRESETS.map(({ hours, label }) => button(label, `?hours=${hours}`)).join(" ");
  answerPage(res, ALERT_PAGES.snoozeTitle, `<p>${ALERT_PAGES.snooze}</p><p>${buttons}</p>`);
}

/** Snoozes a monitor, and shows until when. */
export async function snooze(
  gateway: Gateway,
  { params, query, res, context }: Input<unknown, z.infer<typeof snoozeQuery>>,
): Promise<undefined> {
  if (!(await opensSnooze(gateway, context, params))) return answerExpiredLink(res);
  const { team = "", monitor = "" } = params;
  const request = { monitorId: monitor, teamId: team, hours: query.hours };
  const { snoozedUntil } = await call(context, "alerts.snooze", request);
  const until = `<time datetime="${snoozedUntil}">${timeInWords(snoozedUntil)}</time>`;
  answerPage(res, ALERT_PAGES.snoozedTitle, `<p>${ALERT_PAGES.snoozedUntil(until)}</p>`);
}

/** Shows a page that asks whether to unsubscribe. */
export async function showUnsubscribePage(
  gateway: Gateway,
  { params, res, context }: Input,
): Promise<undefined> {
  if (!(await opensUnsubscribe(gateway, context, params))) return answerExpiredLink(res);
  answerPage(
    res,
    ALERT_PAGES.unsubscribeTitle,
    `<p>${ALERT_PAGES.unsubscribe}</p><p>${button(ALERT_PAGES.unsubscribeButton, "")}</p>`,
  );
}

/** Unsubscribes an address. */
export async function unsubscribe(gateway: Gateway, { params, res, context }: Input): Promise<undefined> {
  if (!(await opensUnsubscribe(gateway, context, params))) return answerExpiredLink(res);
  const { team = "", monitor = "", address = "" } = params;
  const name = Buffer.from(address, "base64url").toString("utf8");
  await call(context, "alerts.unsubscribe", { monitorId: monitor, teamId: team, address: name });
  answerPage(res, ALERT_PAGES.unsubscribedTitle, `<p>${ALERT_PAGES.unsubscribed}</p>`);
}

async function opensSnooze(
  gateway: Gateway,
  context: Input["context"],
  { team = "", monitor = "", until = "", signature = "" }: Record<string, string>,
): Promise<boolean> {
  const isValid = (await gateway.links()).opensSnooze(team, monitor, until, signature);
  return isValid && (await monitorExists(context, team, monitor));
}

async function opensUnsubscribe(
  gateway: Gateway,
  context: Input["context"],
  { team = "", monitor = "", address = "", signature = "" }: Record<string, string>,
): Promise<boolean> {
  const isValid = (await gateway.links()).opensUnsubscribe(team, monitor, address, signature);
  return isValid && (await monitorExists(context, team, monitor));
}

/** Returns whether a monitor exists in a team that was not deleted. */
async function monitorExists(context: Input["context"], teamId: string, id: string): Promise<boolean> {
  const [hasMonitor, hasTeam] = await Promise.all([
    call(context, "monitors.exists", { id, teamId }),
    call(context, "teams.isOpen", { teamId }),
  ]);
  return hasMonitor && hasTeam;
}

function button(label: string, action: string): string {
  return `<form method="post" action="${action}"><button>${label}</button></form>`;
}

function answerPage(res: ServerResponse, title: string, main: string, status = 200): undefined {
  res.setHeader("Cache-Control", "no-store");
  answerHtml(res, status, htmlPage(title, `<h1>${title}</h1>${main}`));
}

function answerExpiredLink(res: ServerResponse): undefined {
  answerPage(res, ALERT_PAGES.deadLinkTitle, `<p>${ALERT_PAGES.deadLink}</p>`, 401);
}
