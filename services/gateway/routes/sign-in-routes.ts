import * as sessions from "../../../shared/contracts/teams/sessions.ts";
import * as signIn from "../../../shared/contracts/teams/sign-in.ts";
import {
  serveProviderCallback,
  serveProviderLogin,
  serveProviderLogout,
  serveSignInMethods,
} from "../handlers/sign-in/serve-provider-sign-in.ts";
import { serveCallback, serveLogin } from "../handlers/sign-in/serve-sign-in.ts";
import { actionRoute, type Route, servedRoute } from "./route.ts";

/** Routes to sign in with the code host or an identity provider, and a team's settings of both. */
export const SIGN_IN_ROUTES: Record<string, Route> = {
  "GET /auth/login": servedRoute({
    role: "public",
    summary: "Redirect a browser to the code host to sign in",
    query: sessions.loginQuery,
    answers: { 302: null },
    serve: serveLogin,
  }),
  "GET /auth/callback": servedRoute({
    role: "public",
    summary: "Handle the return from the code host and set the session cookie",
    query: sessions.callbackQuery,
    answers: { 302: null },
    serve: serveCallback,
  }),
  "GET /auth/oidc/:provider": servedRoute({
    role: "public",
    summary: "Redirect a browser to an OpenID Connect provider to sign in",
    query: signIn.providerLoginQuery,
    answers: { 302: null },
    serve: serveProviderLogin,
  }),
  "GET /auth/oidc/:provider/callback": {
    role: "public",
    summary: "Handle the return from an OpenID Connect provider and set the session cookie",
    answers: { 302: null },
    serve: serveProviderCallback,
  },
  "POST /auth/oidc/:provider/logout": {
    role: "signed",
    summary: "Receive a logout token of an OpenID Connect provider, and end the sessions that it names",
    rawBody: "application/x-www-form-urlencoded",
    answers: {
      200: signIn.loggedOut,
      400: signIn.logoutRefusal,
      404: signIn.logoutRefusal,
      503: signIn.logoutRefusal,
    },
    serve: serveProviderLogout,
  },
  "GET /v1/sign-in": servedRoute({
    role: "public",
    summary: "Get the available ways to sign in",
    query: signIn.waysInQuery,
    answers: { 200: signIn.waysIn },
    serve: serveSignInMethods,
  }),
  "GET /v1/teams/:id/sign-in": actionRoute("teams.signInSettings", {
    role: "admin",
    teamInPath: true,
    summary: "Get a team's rules of sign-in, and its identity provider",
    answers: { 200: signIn.signInSettings },
    input: () => ({}),
  }),
  "PUT /v1/teams/:id/sign-in": actionRoute("teams.changeSignInPolicy", {
    role: "admin",
    teamInPath: true,
    summary: "Set the roles of an identity provider's users and groups, and whether members must use it",
    body: signIn.signInPolicyBody,
    answers: { 200: signIn.signInSettings },
    input: ({ body }) => body,
  }),
  "PUT /v1/teams/:id/provider": actionRoute("teams.changeProvider", {
    role: "admin",
    teamInPath: true,
    summary: "Set a team's own OpenID Connect provider. Its configuration is read first",
    body: signIn.teamProviderBody,
    answers: { 200: signIn.signInSettings },
    input: ({ body }) => body,
  }),
  "DELETE /v1/teams/:id/provider": actionRoute("teams.deleteProvider", {
    role: "admin",
    teamInPath: true,
    summary: "Delete a team's own OpenID Connect provider, and end the sessions from it",
    answers: { 204: null },
    input: () => ({}),
  }),
};
