import { z } from "zod";
import { time } from "../fields.ts";
import type { Delivery, DeliveryAnswer } from "../platform/delivery.ts";
import type { Action } from "../teams/team-actions.ts";

/** Apps of chat tools, whose buttons review runs from a message. */

export const CHAT_APP_TOOLS = ["slack", "discord"] as const;
export type ChatAppTool = (typeof CHAT_APP_TOOLS)[number];

/** Body of `PUT /v1/teams/:id/chat-apps/:tool`. */
export const chatAppBody = z.strictObject({
  secret: z
    .string()
    .regex(/^([0-9a-f]{32}|[0-9a-f]{64})$/, "must be a signing secret of 32 or a public key of 64 hex digits")
    .describe("Slack: the app's signing secret. Discord: the application's public key"),
});

export const chatAppView = z.object({
  tool: z.enum(CHAT_APP_TOOLS),
  requestUrl: z
    .string()
    .describe("Set it as the request URL (Slack) or interactions endpoint (Discord) of the app"),
  isSet: z.boolean(),
  changedBy: z.string().nullable(),
  changedAt: time.nullable(),
});

export const chatAppList = z.object({ data: z.array(chatAppView) });

export type ChatAppView = z.infer<typeof chatAppView>;
export type ChatAppList = z.infer<typeof chatAppList>;

/** A person in a workspace of a chat tool, in a signed link. */
export const chatPerson = z.object({
  teamId: z.string(),
  tool: z.enum(CHAT_APP_TOOLS),
  workspaceId: z.string(),
  userId: z.string(),
  /** As the chat tool shows it. */
  name: z.string(),
  /** When the link expires, in milliseconds since 1970. */
  until: z.number(),
});

export type ChatPerson = z.infer<typeof chatPerson>;

/** Actions of the alerts service on apps of chat tools. */
export interface ChatAppActions {
  "alerts.chatApps": Action<object, ChatAppList>;
  "alerts.putChatApp": Action<{ tool: string; secret: string }, ChatAppView>;
  "alerts.deleteChatApp": Action<{ tool: string }, null>;
  /** Handles a click on a button. It verifies the signature. */
  "alerts.chatInteraction": Action<Delivery, DeliveryAnswer>;
  /** Links a person of a chat tool to a member, who confirmed it in a session of this identity provider. */
  "alerts.linkChatPerson": Action<{ person: ChatPerson; userId: string; provider: string | null }, null>;
  "alerts.unlinkChatPeople": Action<object, null>;
}
