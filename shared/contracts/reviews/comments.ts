import { z } from "zod";
import { list, time } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";

/** Comments on a run, its screenshots, and their regions. */

export const COMMENT_BOUNDS = { chars: 2_000, perRun: 500 } as const;

/** Taller than any screenshot. */
const MAX_PX = 100_000;

const commentText = z
  .string()
  .trim()
  .min(1)
  .max(COMMENT_BOUNDS.chars)
  // Line breaks are part of a comment.
  .regex(/^[\P{Cc}\n]*$/u, "must not contain control characters")
  .describe("Plain text");

const px = z.int().min(0).max(MAX_PX);

/** Part of a screenshot that a comment is pinned to. */
const commentRegion = z
  .strictObject({ x: px, y: px, width: px.min(1), height: px.min(1) })
  .describe("Part of the screenshot in px");

/** Body of `POST /v1/runs/:id/comments`. */
export const createCommentBody = z
  .strictObject({
    text: commentText,
    screenshot: z
      .string()
      .max(64)
      .optional()
      .describe("Id of a screenshot of the run. Default: the comment is on the run"),
    region: commentRegion.optional(),
    replyTo: z
      .string()
      .max(64)
      .optional()
      .describe("Id of a comment of the run. The reply has its screenshot and region"),
  })
  .refine(body => body.region === undefined || body.screenshot !== undefined, {
    path: ["screenshot"],
    message: "is required with a region",
  })
  .refine(body => body.replyTo === undefined || body.screenshot === undefined, {
    path: ["screenshot"],
    message: "can't be set for a reply. It has the screenshot of its thread",
  });

/** Body of `PATCH /v1/comments/:id`. */
export const changeCommentBody = z
  .strictObject({
    text: commentText.optional().describe("Only its author can change it"),
    resolved: z.boolean().optional().describe("Resolves or reopens the thread of this comment"),
  })
  .refine(body => body.text !== undefined || body.resolved !== undefined, {
    message: "must have text or resolved",
  });

/** A comment. */
export const commentView = z.object({
  id: z.string(),
  runId: z.string(),
  threadId: z.string().describe("Id of the thread's first comment, which may be this one"),
  screenshotId: z.string().nullable().describe("Null for a comment on the run"),
  region: z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() }).nullable(),
  text: z.string(),
  by: z.object({
    kind: z.enum(["key", "user", "service"]),
    id: z.string(),
    name: z.string().describe("Name at the time of the comment"),
  }),
  countsAs: z.string().describe("The user who created the API key, else the author"),
  mentions: z
    .array(z.object({ id: z.string(), login: z.string() }))
    .default([])
    .describe("Members of the team that its text mentions as `@login`"),
  createdAt: time,
  editedAt: time.nullable(),
  externalUrl: z
    .string()
    .nullable()
    .default(null)
    .describe("URL of a reply that was written on the pull request. Null for all other comments"),
  resolved: z
    .object({ by: z.string().describe("Name of who resolved the thread"), at: time })
    .nullable()
    .describe("Null for an open thread, and for replies"),
});

export const commentList = list(commentView);

export type CreateComment = z.infer<typeof createCommentBody>;
export type ChangeComment = z.infer<typeof changeCommentBody>;
export type CommentView = z.infer<typeof commentView>;
export type CommentList = z.infer<typeof commentList>;

/** Actions of the runs service on comments. */
export interface CommentActions {
  /** Lists the comments of a run, oldest first. */
  "runs.comments": Action<
    { runId: string; query: { limit: number; cursor?: string | undefined } },
    CommentList
  >;
  /** The caller creates the id, so that a repeated message adds one comment. */
  "runs.createComment": Action<{ id: string; runId: string; body: CreateComment }, CommentView>;
  "runs.changeComment": Action<{ id: string; body: ChangeComment }, CommentView>;
  /** Deletes a comment; the first of a thread with its replies. */
  "runs.deleteComment": Action<{ id: string }, null>;
}
