import { z } from "zod";
import { type ListQuery, list, time } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";
import { NOTIFICATION_STATUSES } from "./alerts.ts";
import { chatWebhook } from "./monitor-channels.ts";

/** The chat channel of a project, which gets digests of its runs. */

/** Body of `PUT /v1/projects/:project/chat`. */
export const projectChatBody = z.strictObject({
  slack: chatWebhook
    .nullable()
    .describe("Incoming webhook of Slack or a compatible chat tool. Null removes it"),
});

const chatMessageView = z.object({
  kind: z.enum(["digest", "test"]),
  status: z.enum(NOTIFICATION_STATUSES),
  tries: z.int(),
  answer: z.string().nullable().describe("The chat tool's last response"),
  createdAt: time,
  nextTryAt: time.nullable().describe("Time of the next attempt. Null unless `queued`"),
  endedAt: time.nullable(),
});

export const projectChatView = z.object({
  project: z.string(),
  slack: z.string().nullable().describe("Host and end of the webhook's URL. Null if there is none"),
  changedBy: z.string().nullable(),
  changedAt: time.nullable(),
  lastMessage: chatMessageView
    .nullable()
    .describe("The last message since the channel was set. Null if there is none"),
});

/** Response of `GET /v1/teams/:id/chat-channels`. */
export const projectChatList = list(projectChatView);

export type ProjectChatBody = z.infer<typeof projectChatBody>;
export type ChatMessageView = z.infer<typeof chatMessageView>;
export type ProjectChatList = z.infer<typeof projectChatList>;
export type ProjectChatView = z.infer<typeof projectChatView>;

/** Actions of the alerts service on the chat channels of projects. */
export interface ProjectChatActions {
  "alerts.projectChat": Action<{ project: string }, ProjectChatView>;
  "alerts.projectChats": Action<{ query: ListQuery }, ProjectChatList>;
  /** Queues a test message. Throws not_found without a channel; rate_limited. */
  "alerts.testProjectChat": Action<{ project: string }, ProjectChatView>;
  "alerts.putProjectChat": Action<{ project: string } & ProjectChatBody, ProjectChatView>;
}
