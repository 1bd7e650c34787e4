import { z } from "zod";
import { time } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";
import { chatWebhook } from "./monitor-channels.ts";

/** The chat channel of a project, which gets digests of its runs. */

/** Body of `PUT /v1/projects/:project/chat`. */
export const projectChatBody = z.strictObject({
  slack: chatWebhook
    .nullable()
    .describe("Incoming webhook of Slack or a compatible chat tool. Null removes it"),
});

export const projectChatView = z.object({
  project: z.string(),
  slack: z.string().nullable().describe("Host and end of the webhook's URL. Null if there is none"),
  changedBy: z.string().nullable(),
  changedAt: time.nullable(),
});

export type ProjectChatBody = z.infer<typeof projectChatBody>;
export type ProjectChatView = z.infer<typeof projectChatView>;

/** Actions of the alerts service on the chat channels of projects. */
export interface ProjectChatActions {
  "alerts.projectChat": Action<{ project: string }, ProjectChatView>;
  "alerts.putProjectChat": Action<{ project: string } & ProjectChatBody, ProjectChatView>;
}
