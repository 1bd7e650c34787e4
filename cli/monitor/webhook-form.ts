import { briefBody, cardBody } from "../../shared/alerts/card-body.ts";
import type { CardText } from "../../shared/alerts/chat-card.ts";
import { type CardTool, cardToolOf } from "../../shared/alerts/chat-tool.ts";
import { escapeUrl, escapeWithin, header, section } from "../../shared/alerts/slack-blocks.ts";
import { percent } from "../../shared/text/format.ts";
import { cut } from "../../shared/text/text-limits.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import { ALERT_TEXTS, MONITOR_TEXTS } from "../texts/monitor.ts";
import { explanation, headline } from "./describe-alert.ts";
import type { Alert } from "./plan-alert.ts";

/** An alert that is being sent. */
export interface OutgoingAlert {
  /** The same for each attempt, so that a receiver can detect a repeat. */
  id: string;
  alert: Alert;
  /** Fraction of all pixels. */
  threshold: number;
}

export type WebhookForm = "slack" | CardTool | "generic";

/** Slack's hosts, and the path of its webhooks, which stays the same behind a proxy. */
const SLACK = /^hooks\.slack(-gov)?\.com$/;
const SLACK_PATH = /^\/services\/T[^/]+\/B[^/]+\/[^/]+\/?$|^\/api(\/v\d+)?\/webhooks\/\d+\/[^/]+\/slack$/;

/** Pages that a chat message names. The report has the rest. */
const MAX_SHOWN_PAGES = 10;
/** Pages that the JSON body names. */
const MAX_NAMED_PAGES = 100;
/** Limits of a page's URL in a chat message, before and after escaping. */
const URL_LIMIT = { max: 250, unit: "utf16" } as const;
const ESCAPED_LIMIT = { max: 500, unit: "utf16" } as const;
const MAX_LINK_UNITS = 1_000;

/** Returns the form of a receiver's messages by its URL. */
export function formOf(address: string): WebhookForm {
  const { hostname, pathname } = new URL(address);
  if (SLACK_PATH.test(pathname) || SLACK.test(hostname)) return "slack";
  return cardToolOf(address) ?? "generic";
}

/** Returns the body of a message. */
export function bodyOf(form: WebhookForm, outgoing: OutgoingAlert): object {
  if (form === "slack") return slackBody(outgoing);
  return form === "generic" ? genericBody(outgoing) : chatBody(form, outgoing);
}

/** Returns only the headline, for a receiver that refuses the whole message. */
export function briefBodyOf(form: WebhookForm, { id, alert, threshold }: OutgoingAlert): object {
  const title = headline(alert);
  if (form === "slack") return { text: escapeWithin(title) };
  if (form !== "generic") return briefBody(form, title);
  const text = visibleLine(explanation(alert, threshold));
  return { id, type: `monitor.${alert.kind}`, at: alert.at, title: visibleLine(title), text };
}

/** Returns blocks for Slack's incoming webhooks. */
function slackBody({ alert, threshold }: OutgoingAlert): object {
  const { shown, left } = linesOf(alert, (url, rest) => {
    // A bar separates a link's URL from its text.
    const name = escapeWithin(cut(url, URL_LIMIT).replaceAll("|", "¦"), ESCAPED_LIMIT);
    const link = escapeUrl(url);
    return `${link.length <= MAX_LINK_UNITS ? `<${link}|${name}>` : name} · ${escapeWithin(rest, ESCAPED_LIMIT)}`;
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
    { text: cut(url, URL_LIMIT), url },
    { text: ` · ${rest}` },
  ]);
  const intro = [[{ text: explanation(alert, threshold) }]];
  const { kind: tone, at } = alert;
  return cardBody(tool, { title: headline(alert), intro, pages: shown, left, buttons: [], tone, at });
}

/** Returns JSON with the fields of the service's webhooks. */
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
    regressions: regressions.slice(0, MAX_NAMED_PAGES).map(({ url, ...screenshot }) => {
      const { pathname, search } = new URL(url);
      return { url, route: pathname + search, ...screenshot };
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
    ...regressions.map(({ url, diffRatio, ...screenshot }) =>
      write(url, ALERT_TEXTS.changedLine(MONITOR_TEXTS.screenshot(screenshot), percent(diffRatio))),
    ),
    ...recovered.map(url => write(url, ALERT_TEXTS.recoveredLine)),
  ];
  return { shown: lines.slice(0, MAX_SHOWN_PAGES), left: Math.max(0, lines.length - MAX_SHOWN_PAGES) };
}
