import { listQuery } from "../../../../shared/contracts/fields.ts";
import * as comments from "../../../../shared/contracts/reviews/comments.ts";
import { inbox, inboxQuery } from "../../../../shared/contracts/reviews/inbox.ts";
import * as reviewers from "../../../../shared/contracts/reviews/reviewers.ts";
import { newId } from "../../../../shared/ids.ts";
import { actionRoute, type Route } from "../route.ts";

/** Routes for people who review together: comments, reviewers and the inbox. */
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
  "GET /v1/inbox": actionRoute("runs.inbox", {
    role: "viewer",
    summary: "List what waits for you over all projects of the team, newest first",
    query: inboxQuery,
    answers: { 200: inbox },
    input: ({ query }) => ({ query }),
  }),
  "GET /v1/runs/:id/reviewers": actionRoute("runs.reviewers", {
    role: "viewer",
    summary: "List the reviewers who are assigned to a run",
    answers: { 200: reviewers.runReviewers },
    input: ({ params: { id = "" } }) => ({ runId: id }),
  }),
  "PUT /v1/runs/:id/reviewers": actionRoute("runs.putReviewers", {
    role: "reviewer",
    summary: "Replace the reviewers who are assigned to a run. New ones are notified",
    body: reviewers.runReviewersBody,
    answers: { 200: reviewers.runReviewers },
    input: ({ params: { id = "" }, body }) => ({ runId: id, ...body }),
  }),
  "GET /v1/projects/:project/reviewers": actionRoute("runs.reviewerRules", {
    role: "viewer",
    summary: "Get the rules that assign reviewers to a project's runs",
    answers: { 200: reviewers.reviewerRulesView },
    input: ({ params: { project = "" } }) => ({ project }),
  }),
  "PUT /v1/projects/:project/reviewers": actionRoute("runs.putReviewerRules", {
    role: "admin",
    summary:
      "Replace the rules that assign reviewers to a project's runs. The project doesn't need to exist yet",
    body: reviewers.reviewerRulesBody,
    answers: { 200: reviewers.reviewerRulesView },
    input: ({ params: { project = "" }, body }) => ({ project, ...body }),
  }),
};
