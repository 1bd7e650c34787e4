import { cut } from "../../shared/alerts/cut.ts";
import {
  escapeText,
  escapeUrl,
  escapeWithin,
  header,
  SECTION,
  section,
} from "../../shared/alerts/slack-blocks.ts";
import { percent } from "../../shared/report/words.ts";
import type { Alert } from "./alert.ts";
import { explanation, headline } from "./alert-words.ts";

/** An alert on its way. */
export interface OutgoingAlert {
  /** The same for each try, so that a receiver can tell a repeat. */
  id: string;
  alert: Alert;
  /** Fraction. */
  threshold: number;
}

export type WebhookForm = "slack" | "discord" | "generic";

/** Slack's own hosts, and the path that it gives its webhooks, which stays where a proxy is before it. */
const SLACK = /^hooks\.slack(-gov)?\.com$/;
const SLACK_PATH = /^\/services\/T[^/]+\/B[^/]+\/[^/]+\/?$|^\/api(\/v\d+)?\/webhooks\/\d+\/[^/]+\/slack$/;
const DISCORD = /^((ptb|canary)\.)?discord(app)?\.com$/;
const DISCORD_PATH = /^\/api(\/v\d+)?\/webhooks\/\d+\/[^/]+\/?$/;

/** Pages that a message names; a chat is not a report. */
const SHOWN = 10;
/** Those that data names. */
const NAMED = 100;
/** Of one page's line in a chat. */
const LINE = 250;

/** In which form a receiver wants its messages, by its address. */
export function formOf(address: string): WebhookForm {
  const { hostname, pathname } = new URL(address);
  if (SLACK_PATH.test(pathname) || SLACK.test(hostname)) return "slack";
  if (DISCORD_PATH.test(pathname) || (DISCORD.test(hostname) && /\/webhooks\//.test(pathname)))
    return "discord";
  return "generic";
}

/** The message's body. */
export function bodyOf(form: WebhookForm, outgoing: OutgoingAlert): object {
  if (form === "slack") return slackBody(outgoing);
  return form === "discord" ? discordBody(outgoing) : genericBody(outgoing);
}

/** Blocks, as Slack's incoming webhooks take them. */
function slackBody({ alert, threshold }: OutgoingAlert): object {
  const { shown, left } = linesOf(alert, (url, rest) => {
    // A bar parts a link's address from its text.
    const name = escapeWithin(cut(url, LINE).replaceAll("|", "¦"), LINE * 2);
    const link = escapeUrl(url);
    return `${link.length <= LINE * 4 ? `<${link}|${name}>` : name} · ${escapeWithin(rest, LINE * 2)}`;
  });
  return {
    text: escapeWithin(headline(alert), SECTION),
    blocks: [
      header(headline(alert)),
      section(escapeText(explanation(alert, threshold))),
      ...shown.map(line => section(line)),
      ...(left > 0 ? [section(`and ${left} more`)] : []),
    ],
  };
}

/** Limits of Discord's embeds, in characters; 6,000 are the most in all. */
const TITLE = 256;
const DESCRIPTION = 4_000;
/** Amber, red and green, as everywhere. */
const COLOURS = { changed: 0xd29922, down: 0xd1242f, recovered: 0x2da44e };

function discordBody({ alert, threshold }: OutgoingAlert): object {
  const { shown, left } = linesOf(
    alert,
    (url, rest) => `• ${plain(cut(url, LINE))} · ${plain(cut(rest, LINE))}`,
  );
  const lines = [plain(explanation(alert, threshold)), ...shown, ...(left > 0 ? [`and ${left} more`] : [])];
  return {
    content: cut(plain(headline(alert)), 2_000),
    // A page's words must not call anybody.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cut(headline(alert), TITLE),
        description: cut(lines.join("\n"), DESCRIPTION),
        color: COLOURS[alert.kind],
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
    title: headline(alert),
    text: explanation(alert, threshold),
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

function linesOf(
  { regressions, down, recovered }: Alert,
  write: (url: string, rest: string) => string,
): { shown: string[]; left: number } {
  const lines = [
    ...down.map(({ url, reason }) => write(url, `down: ${reason}`)),
    ...regressions.map(({ url, viewport, diffRatio }) =>
      write(url, `${viewport} px · ${percent(diffRatio)}`),
    ),
    ...recovered.map(url => write(url, "as before again")),
  ];
  return { shown: lines.slice(0, SHOWN), left: Math.max(0, lines.length - SHOWN) };
}

/** A text in Discord's markup, of which it means nothing. An address stays one that can be followed. */
function plain(text: string): string {
  return text.replaceAll(/https?:\/\/\S+|[\\*_~`|>[\]]/g, found =>
    found.length > 1 ? found.replaceAll(/[<>]/g, "") : `\\${found}`,
  );
}
