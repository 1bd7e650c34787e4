import { listQuery } from "../../../../shared/contracts/fields.ts";
import * as comments from "../../../../shared/contracts/runs/comments.ts";
import { newId } from "../../../../shared/ids.ts";
import { actionRoute, type Route } from "../route.ts";

/** Routes for comments on runs and screenshots. */
export const COMMENT_ROUTES: Record<string, Route> = {
  "GET /v1/runs/:id/comments": actionRoute("runs.comments", {
    role: "viewer",
    summary: "List the comments on a run and its screenshots, oldest first",
    query: listQuery,
    answers: { 200: comments.commentList },
    input: ({ params: { id = "" }, query }) => ({ runId: id, query }),
  }),
  "POST /v1/runs/:id/comments": actionRoute("runs.createComment", {
    role: "reviewer",
    summary: "Comment on a run, a screenshot or a region, or reply to a comment",
    body: comments.createCommentBody,
    answers: { 201: comments.commentView },
    input: ({ params: { id = "" }, body }) => ({ id: newId("com"), runId: id, body }),
  }),
  "PATCH /v1/comments/:id": actionRoute("runs.changeComment", {
    role: "reviewer",
    summary: "Edit a comment, or resolve or reopen its thread",
    body: comments.changeCommentBody,
    answers: { 200: comments.commentView },
    input: ({ params: { id = "" }, body }) => ({ id, body }),
  }),
  "DELETE /v1/comments/:id": actionRoute("runs.deleteComment", {
    role: "reviewer",
    summary: "Delete a comment. The first comment of a thread is deleted with its replies",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
};
