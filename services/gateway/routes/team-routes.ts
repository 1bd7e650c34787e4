import { listQuery } from "../../../shared/contracts/fields.ts";
import * as notices from "../../../shared/contracts/teams/notices.ts";
import * as people from "../../../shared/contracts/teams/people.ts";
import * as sessions from "../../../shared/contracts/teams/sessions.ts";
import * as signIn from "../../../shared/contracts/teams/sign-in.ts";
import { exportActivity } from "../handlers/export-activity.ts";
import { postTeams } from "../handlers/serve-teams.ts";
import { serveSession, signInWithKey, signOut } from "../handlers/sign-in/serve-session.ts";
import { actionRoute, type Route, servedRoute } from "./route.ts";

/** Routes for users and teams. With `teamInPath`, the path names the team. */
export const TEAM_ROUTES: Record<string, Route> = {
  "GET /v1/session": {
    role: "any",
    summary: "Get the caller, which is an API key or user, and its teams",
    answers: { 200: sessions.sessionView },
    serve: serveSession,
  },
  "POST /v1/session": servedRoute({
    role: "public",
    summary: "Sign a browser in with an API key. Sets the session cookie",
    body: sessions.signInBody,
    answers: { 201: sessions.sessionView },
    serve: signInWithKey,
  }),
  "DELETE /v1/session": {
    role: "any",
    summary: "Sign out. If the identity provider can sign the user out too, the response has its URL",
    answers: { 204: null, 200: signIn.signedOut },
    serve: signOut,
  },
  "GET /v1/account/notices": actionRoute("teams.noticePreferences", {
    role: "any",
    summary: "Get what you are notified of by email",
    answers: { 200: notices.noticePreferencesView },
    input: () => ({}),
  }),
  "PATCH /v1/account/notices": actionRoute("teams.changeNoticePreferences", {
    role: "any",
    summary: "Change what you are notified of by email",
    body: notices.changeNoticePreferencesBody,
    answers: { 200: notices.noticePreferencesView },
    input: ({ body }) => body,
  }),
  "GET /v1/sessions": actionRoute("teams.sessions", {
    role: "any",
    summary: "List your sessions",
    query: listQuery,
    answers: { 200: sessions.sessionList },
    input: ({ query, identity }) => ({ ...query, current: identity?.session?.id ?? null }),
  }),
  "DELETE /v1/sessions": actionRoute("teams.closeOtherSessions", {
    role: "any",
    summary: "End all of your sessions except the current one",
    answers: { 204: null },
    input: ({ identity }) => ({ current: identity?.session?.id ?? null }),
  }),
  "DELETE /v1/sessions/:id": actionRoute("teams.closeSession", {
    role: "any",
    summary: "End one of your sessions",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "GET /v1/teams": actionRoute("teams.list", {
    role: "any",
    summary: "List your teams. An API key has one team",
    query: listQuery,
    answers: { 200: people.teamList },
    input: ({ query }) => query,
  }),
  "POST /v1/teams": servedRoute({
    role: "any",
    summary:
      "Create a team, or with `teamId` change its members. Only admins can change others; every member can leave",
    body: people.teamsBody,
    answers: { 201: people.createdTeam, 200: people.managedTeam },
    serve: postTeams,
  }),
  "PATCH /v1/teams/:id": actionRoute("teams.change", {
    role: "admin",
    teamInPath: true,
    summary: "Update a team's name and its settings for reviews and links",
    body: people.changeTeamBody,
    answers: { 200: people.teamView },
    input: ({ body }) => body,
  }),
  "DELETE /v1/teams/:id": actionRoute("teams.delete", {
    role: "admin",
    teamInPath: true,
    allowsDeletedTeam: true,
    summary: "Delete a team. It can be restored for seven days",
    answers: { 200: people.teamView },
    input: () => ({}),
  }),
  "POST /v1/teams/:id/restore": actionRoute("teams.restore", {
    role: "admin",
    teamInPath: true,
    allowsDeletedTeam: true,
    summary: "Restore a deleted team",
    answers: { 200: people.teamView },
    input: () => ({}),
  }),
  "GET /v1/teams/:id/members": actionRoute("teams.members", {
    role: "viewer",
    teamInPath: true,
    summary: "List the members of a team",
    query: listQuery,
    answers: { 200: people.memberList },
    input: ({ query }) => query,
  }),
  "DELETE /v1/teams/:id/members/me": actionRoute("teams.leave", {
    role: "viewer",
    teamInPath: true,
    allowsDeletedTeam: true,
    summary: "Leave a team",
    answers: { 204: null },
    input: () => ({}),
  }),
  "DELETE /v1/teams/:id/members/:member/sessions": actionRoute("teams.signOutMember", {
    role: "admin",
    teamInPath: true,
    summary: "End all sessions of a member",
    answers: { 204: null },
    input: ({ params: { member = "" } }) => ({ member }),
  }),
  "GET /v1/teams/:id/invitations": actionRoute("teams.invitations", {
    role: "admin",
    teamInPath: true,
    summary: "List a team's pending invitations",
    query: listQuery,
    answers: { 200: people.invitationList },
    input: ({ query }) => query,
  }),
  "DELETE /v1/teams/:id/invitations/:invitation": actionRoute("teams.revokeInvitation", {
    role: "admin",
    teamInPath: true,
    summary: "Revoke an invitation",
    answers: { 204: null },
    input: ({ params: { invitation = "" } }) => ({ id: invitation }),
  }),
  "GET /v1/teams/:id/activity": actionRoute("teams.activity", {
    role: "viewer",
    teamInPath: true,
    summary: "List a team's activity, newest first",
    query: people.listActivityQuery,
    answers: { 200: people.activityList },
    input: ({ query }) => query,
  }),
  "GET /v1/teams/:id/activity/export": servedRoute({
    role: "admin",
    teamInPath: true,
    summary: "Export a team's activity as CSV or JSON lines, newest first",
    query: people.exportActivityQuery,
    answers: { 200: "application/jsonl" },
    serve: exportActivity,
  }),
};
