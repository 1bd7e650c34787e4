import { setTimeout as delay } from "node:timers/promises";
import { escapeDiscord } from "../../../shared/alerts/discord-card.ts";
import { type Post, postJson } from "../../../shared/alerts/post-json.ts";
import { escapeText, escapeUrl, section } from "../../../shared/alerts/slack-blocks.ts";
import { cut, TEXT_LIMITS } from "../../../shared/text/text-limits.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { CHAT_APP_TEXTS as TEXTS } from "../texts.ts";
import type { DiscordClick, SlackClick } from "./read-interaction.ts";

const TIMEOUT_MS = 15_000;
/** Discord knows the token of a click only after it read the response to it, and the network may fail. */
const RETRY_DELAYS_MS = [500, 2_000, 8_000];
/** Flag of a message that only the person sees (https://discord.com/developers/docs/resources/message). */
const EPHEMERAL = 64;

/** What a click led to. Only a decision of the whole run replaces the buttons. */
export interface Reply {
  text: string;
  link?: { label: string; url: string };
  isDecided: boolean;
}

type AnswerContext = Pick<AlertsContext, "policy" | "warn" | "discordUrl">;

/** Updates Slack's message, or shows the reply to the person only. */
export async function answerSlack(
  { policy, warn }: AnswerContext,
  { responseUrl, blocks }: SlackClick,
  { text, link, isDecided }: Reply,
): Promise<void> {
  const line = section(`${escapeText(text)}${link ? ` <${escapeUrl(link.url)}|${link.label}>` : ""}`);
  const kept = blocks.filter(block => !("type" in block && block.type === "actions"));
  const body = isDecided
    ? { replace_original: true, text: escapeText(text), blocks: [...kept.slice(0, 49), line] }
    : { replace_original: false, response_type: "ephemeral", text: escapeText(text), blocks: [line] };
  await send(warn, { url: responseUrl, body: JSON.stringify(body), policy }, []);
}

/**
 * Edits Discord's message, or shows the reply to the person only. The click was answered with a deferred update, whose
 * token works for 15 minutes (https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages).
 */
export async function answerDiscord(
  { warn, discordUrl }: AnswerContext,
  { applicationId, token }: DiscordClick,
  { text, link, isDecided }: Reply,
): Promise<void> {
  const content = cut(`${escapeDiscord(text)}${link ? `\n${link.url}` : ""}`, TEXT_LIMITS.discordContent);
  const message = { content, allowed_mentions: { parse: [] } };
  const ofClick = `${discordUrl}/webhooks/${applicationId}/${token}`;
  const post: Omit<Post, "signal"> = isDecided
    ? {
        ...{ method: "PATCH", url: `${ofClick}/messages/@original`, policy: null },
        body: JSON.stringify({ ...message, components: [] }),
      }
    : { url: ofClick, body: JSON.stringify({ ...message, flags: EPHEMERAL }), policy: null };
  await send(warn, post, RETRY_DELAYS_MS);
}

async function send(
  warn: AlertsContext["warn"],
  post: Omit<Post, "signal">,
  [waitMs, ...later]: readonly number[],
): Promise<void> {
  const outcome = await postJson({ ...post, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (outcome.kind === "sent") return;
  if (waitMs === undefined) return warn(outcome, TEXTS.notAnswered);
  await delay(waitMs, undefined, { ref: false });
  await send(warn, post, later);
}
