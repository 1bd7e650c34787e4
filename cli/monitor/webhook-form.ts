import { briefBody, cardBody } from "../../shared/alerts/card-body.ts";
import type { CardText } from "../../shared/alerts/chat-card.ts";
import { type CardTool, cardToolOf } from "../../shared/alerts/chat-tool.ts";
import { escapeUrl, escapeWithin, header, section } from "../../shared/alerts/slack-blocks.ts";
import { percent } from "../../shared/report/figures.ts";
import { cut, cutEscaped, fittingLines, remainingLimit, TEXT_LIMITS } from "../../shared/text/text-limits.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import { ALERT_TEXTS } from "../texts/monitor.ts";
import type { Alert } from "./alert.ts";
import { explanation, headline } from "./describe-alert.ts";

/** An alert on its way. */
export interface OutgoingAlert {
  /** The same for each try, so that a receiver can tell a repeat. */
  id: string;
  alert: Alert;
  /** Fraction. */
  threshold: number;
}

export type WebhookForm = "slack" | "discord" | CardTool | "generic";

/** Slack's own hosts, and the path that it gives its webhooks, which stays where a proxy is before it. */
const SLACK = /^hooks\.slack(-gov)?\.com$/;
const SLACK_PATH = /^\/services\/T[^/]+\/B[^/]+\/[^/]+\/?$|^\/api(\/v\d+)?\/webhooks\/\d+\/[^/]+\/slack$/;
const DISCORD = /^((ptb|canary)\.)?discord(app)?\.com$/;
const DISCORD_PATH = /^\/api(\/v\d+)?\/webhooks\/\d+\/[^/]+\/?$/;

/** Pages that a message names; a chat is not a report. */
const SHOWN = 10;
/** Those that data names. */
const NAMED = 100;
const { discordContent, discordTitle, discordDescription } = TEXT_LIMITS;
/** Of one page's address in a chat, as it is and once it is escaped. */
const LINE = { max: 250, unit: "utf16" } as const;
const ESCAPED_LINE = { max: 500, unit: "utf16" } as const;
const LINK_UNITS = 1_000;
const MORE_LINE_UNITS = 50;

/** In which form a receiver wants its messages, by its address. */
export function formOf(address: string): WebhookForm {
  const { hostname, pathname } = new URL(address);
  if (SLACK_PATH.test(pathname) || SLACK.test(hostname)) return "slack";
  if (DISCORD_PATH.test(pathname) || (DISCORD.test(hostname) && /\/webhooks\//.test(pathname)))
    return "discord";
  return cardToolOf(address) ?? "generic";
}

/** The message's body. */
export function bodyOf(form: WebhookForm, outgoing: OutgoingAlert): object {
  if (form === "slack") return slackBody(outgoing);
  if (form === "discord") return discordBody(outgoing);
  return form === "generic" ? genericBody(outgoing) : chatBody(form, outgoing);
}

/** Returns the headline alone, for a receiver that refuses the whole message. */
export function briefBodyOf(form: WebhookForm, { id, alert, threshold }: OutgoingAlert): object {
  const title = headline(alert);
  if (form === "slack") return { text: escapeWithin(title) };
  if (form === "discord")
    return { content: cutEscaped(title, discordContent, plain), allowed_mentions: { parse: [] } };
  if (form !== "generic") return briefBody(form, title);
  const text = visibleLine(explanation(alert, threshold));
  return { id, type: `monitor.${alert.kind}`, at: alert.at, title: visibleLine(title), text };
}

/** Blocks, as Slack's incoming webhooks take them. */
function slackBody({ alert, threshold }: OutgoingAlert): object {
  const { shown, left } = linesOf(alert, (url, rest) => {
    // A bar parts a link's address from its text.
    const name = escapeWithin(cut(url, LINE).replaceAll("|", "¦"), ESCAPED_LINE);
    const link = escapeUrl(url);
    return `${link.length <= LINK_UNITS ? `<${link}|${name}>` : name} · ${escapeWithin(rest, ESCAPED_LINE)}`;
  });
  return {
    text: escapeWithin(headline(alert)),
    blocks: [
      header(headline(alert)),
      section(escapeWithin(explanation(alert, threshold))),
      ...shown.map(line => section(line)),
      ...(left > 0 ? [section(ALERT_TEXTS.more(left))] : []),
    ],
  };
}

function chatBody(tool: CardTool, { alert, threshold }: OutgoingAlert): object {
  const { shown, left } = linesOf<CardText[]>(alert, (url, rest) => [
    { text: cut(url, LINE), url },
    { text: ` · ${rest}` },
  ]);
  const intro = [[{ text: explanation(alert, threshold) }]];
  return cardBody(tool, { title: headline(alert), intro, pages: shown, left, buttons: [] });
}

/** Amber, red and green, as everywhere. */
const COLORS = { changed: 0xd29922, down: 0xd1242f, recovered: 0x2da44e };

function discordBody({ alert, threshold }: OutgoingAlert): object {
  const { shown, left } = linesOf(
    alert,
    (url, rest) => `• ${plain(cut(url, LINE))} · ${plain(cut(rest, LINE))}`,
  );
  const intro = plain(explanation(alert, threshold));
  const fitting = fittingLines(shown, remainingLimit(discordDescription, intro, MORE_LINE_UNITS));
  const more = left + fitting.left;
  const lines = [intro, ...fitting.lines, ...(more > 0 ? [ALERT_TEXTS.more(more)] : [])];
  return {
    content: cutEscaped(headline(alert), discordContent, plain),
    // A page's words must not call anybody.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cutEscaped(headline(alert), discordTitle, plain),
        description: lines.join("\n"),
        color: COLORS[alert.kind],
        timestamp: alert.at,
      },
    ],
  };
}

/** Data, as the service's own webhooks say it. */
function genericBody({ id, alert, threshold }: OutgoingAlert): object {
  const { kind, at, about, since, regressions, down, recovered } = alert;
  return {
    id,
    type: `monitor.${kind}`,
    at,
    title: visibleLine(headline(alert)),
    text: visibleLine(explanation(alert, threshold)),
    incident: about,
    since,
    threshold,
    regressionCount: regressions.length,
    regressions: regressions.slice(0, NAMED).map(({ url, viewport, diffRatio }) => {
      const { pathname, search } = new URL(url);
      return { url, route: pathname + search, viewport, diffRatio };
    }),
    down,
    recovered,
  };
}

function linesOf<Line = string>(
  { regressions, down, recovered }: Alert,
  write: (url: string, rest: string) => Line,
): { shown: Line[]; left: number } {
  const lines = [
    ...down.map(({ url, reason }) => write(url, ALERT_TEXTS.downLine(reason))),
    ...regressions.map(({ url, viewport, diffRatio }) =>
      write(url, ALERT_TEXTS.changedLine(viewport, percent(diffRatio))),
    ),
    ...recovered.map(url => write(url, ALERT_TEXTS.recoveredLine)),
  ];
  return { shown: lines.slice(0, SHOWN), left: Math.max(0, lines.length - SHOWN) };
}

/** A text in Discord's markup, of which it means nothing. An address stays one that can be followed. */
function plain(text: string): string {
  return visibleLine(text).replaceAll(/https?:\/\/\S+|[\\*_~`|<>[\]]/g, found =>
    found.length > 1 ? found.replaceAll(/[<>]/g, "") : `\\${found}`,
  );
}
