import type { ServerResponse } from "node:http";
import type { z } from "zod";
import { call } from "../../../shared/contracts/bus.ts";
import type { snoozeQuery } from "../../../shared/contracts/monitors/alerts.ts";
import { timeInWords } from "../../../shared/text/dates.ts";
import type { Gateway } from "../gateway-context.ts";
import { answerHtml, htmlPage } from "../http/html-page.ts";
import type { Input } from "../routes/route.ts";
import { ALERT_PAGES } from "../texts.ts";

/** What a message's link opens, once its signature is found to be right and its monitor is there. Chat tools and mail programs open links to look at them, so that reading one changes nothing. */

const PRESETS = [
  { hours: 1, label: ALERT_PAGES.presets.hour },
  { hours: 8, label: ALERT_PAGES.presets.shift },
  { hours: 24, label: ALERT_PAGES.presets.day },
  { hours: 72, label: ALERT_PAGES.presets.days },
  { hours: 168, label: ALERT_PAGES.presets.week },
];

/** Asks for how long to snooze. */
export async function askSnooze(gateway: Gateway, { params, res, context }: Input): Promise<undefined> {
  if (!(await opensSnooze(gateway, context, params))) return answerStale(res);
  const buttons = PRESETS.map(({ hours, label }) => button(label, `?hours=${hours}`)).join(" ");
  answerPage(res, ALERT_PAGES.snoozeTitle, `<p>${ALERT_PAGES.snooze}</p><p>${buttons}</p>`);
}

/** Snoozes, and says until when. */
export async function snooze(
  gateway: Gateway,
  { params, query, res, context }: Input<unknown, z.infer<typeof snoozeQuery>>,
): Promise<undefined> {
  if (!(await opensSnooze(gateway, context, params))) return answerStale(res);
  const { team = "", monitor = "" } = params;
  const asked = { monitorId: monitor, teamId: team, hours: query.hours };
  const { snoozedUntil } = await call(context, "alerts.snooze", asked);
  const until = `<time datetime="${snoozedUntil}">${timeInWords(snoozedUntil)}</time>`;
  answerPage(res, ALERT_PAGES.snoozedTitle, `<p>${ALERT_PAGES.snoozedUntil(until)}</p>`);
}

/** Asks whether an address wants no more. */
export async function askUnsubscribe(gateway: Gateway, { params, res, context }: Input): Promise<undefined> {
  if (!(await opensUnsubscribe(gateway, context, params))) return answerStale(res);
  answerPage(
    res,
    ALERT_PAGES.unsubscribeTitle,
    `<p>${ALERT_PAGES.unsubscribe}</p><p>${button(ALERT_PAGES.unsubscribeButton, "")}</p>`,
  );
}

/** Ends the mails to an address. */
export async function unsubscribe(gateway: Gateway, { params, res, context }: Input): Promise<undefined> {
  if (!(await opensUnsubscribe(gateway, context, params))) return answerStale(res);
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
  const isOurs = (await gateway.links()).opensSnooze(team, monitor, until, signature);
  return isOurs && (await isThere(context, team, monitor));
}

async function opensUnsubscribe(
  gateway: Gateway,
  context: Input["context"],
  { team = "", monitor = "", address = "", signature = "" }: Record<string, string>,
): Promise<boolean> {
  const isOurs = (await gateway.links()).opensUnsubscribe(team, monitor, address, signature);
  return isOurs && (await isThere(context, team, monitor));
}

/** Whether a monitor is there, in a team that was not deleted. */
async function isThere(context: Input["context"], teamId: string, id: string): Promise<boolean> {
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

function answerStale(res: ServerResponse): undefined {
  answerPage(res, ALERT_PAGES.deadLinkTitle, `<p>${ALERT_PAGES.deadLink}</p>`, 401);
}
