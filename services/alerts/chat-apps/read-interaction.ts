import { z } from "zod";
import { parseJson } from "../../../shared/json.ts";

/** A click on a button of a message. */
export interface Click {
  workspaceId: string;
  userId: string;
  /** As the chat tool shows it. */
  name: string;
  decision: "approve" | "reject";
  runId: string;
}

export interface SlackClick extends Click {
  /** Where Slack takes an answer for half an hour. */
  responseUrl: string;
  /** The blocks of the message, to update it in place. */
  blocks: object[];
}

export interface DiscordClick extends Click {
  /** Both name the click in Discord's API. */
  applicationId: string;
  token: string;
}

export const BUTTON_IDS = { approve: "vrs_approve", reject: "vrs_reject" } as const;
/** What the ids of buttons begin with that open a link. */
const LINK_BUTTON = "open-";

const id = z.string().min(1).max(100);
const runId = z.string().regex(/^run_[0-9a-z]{26}$/);
const slackPayload = z.object({
  type: z.literal("block_actions"),
  user: z.object({ id, username: z.string().max(200).optional(), name: z.string().max(200).optional() }),
  team: z.object({ id }),
  actions: z.array(z.object({ action_id: z.string(), value: runId })).length(1),
  response_url: z.url({ protocol: /^https?$/ }).max(2_000),
  message: z.object({ blocks: z.array(z.looseObject({ type: z.string() })).max(50) }),
});

/** Slack also sends clicks on buttons that only open a link, and shows an error unless the app accepts them. */
const slackLink = z.object({
  type: z.literal("block_actions"),
  actions: z.array(z.object({ action_id: z.string().startsWith(LINK_BUTTON) })).length(1),
});

/** Reads Slack's form with its JSON. Null for anything but a click on a button. */
export function readSlackClick(body: Buffer): SlackClick | "link" | null {
  const json = parseJson(new URLSearchParams(body.toString()).get("payload") ?? "");
  if (slackLink.safeParse(json).success) return "link";
  const { data } = slackPayload.safeParse(json);
  const [action] = data?.actions ?? [];
  const decision = decisionOf(action?.action_id);
  if (!data || !action || !decision) return null;
  const { user, team, response_url, message } = data;
  return {
    ...{ workspaceId: team.id, userId: user.id, name: user.username ?? user.name ?? user.id },
    ...{ decision, runId: action.value, responseUrl: response_url, blocks: message.blocks },
  };
}

const discordUser = z.object({ id, username: z.string().max(200) });
const discordPing = z.object({ type: z.literal(1) });
const discordClick = z.object({
  type: z.literal(3),
  // They become part of a URL.
  application_id: z.string().regex(/^\d{1,20}$/),
  token: z.string().regex(/^[\w-][\w.-]{0,499}$/),
  guild_id: id.optional(),
  member: z.object({ user: discordUser }).optional(),
  user: discordUser.optional(),
  data: z.object({ custom_id: z.string().max(100) }),
});

/** Reads Discord's JSON. Null for anything but a ping or a click on a button of a run. */
export function readDiscordClick(body: Buffer): DiscordClick | "ping" | null {
  const json = parseJson(body.toString());
  if (discordPing.safeParse(json).success) return "ping";
  const { data } = discordClick.safeParse(json);
  const user = data?.member?.user ?? data?.user;
  const [button, run] = data?.data.custom_id.split(":") ?? [];
  const decision = decisionOf(button);
  if (!data || !user || !decision || !runId.safeParse(run).success || run === undefined) return null;
  return {
    ...{ workspaceId: data.guild_id ?? "-", userId: user.id, name: user.username },
    ...{ decision, runId: run, applicationId: data.application_id, token: data.token },
  };
}

function decisionOf(button: string | undefined): Click["decision"] | null {
  if (button === BUTTON_IDS.approve) return "approve";
  return button === BUTTON_IDS.reject ? "reject" : null;
}
