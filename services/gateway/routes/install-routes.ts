import { listQuery } from "../../../shared/contracts/fields.ts";
import * as installs from "../../../shared/contracts/platform/installs.ts";
import { managedTeam } from "../../../shared/contracts/teams/people.ts";
import { actionRoute, type Route } from "./route.ts";

/**
 * Routes for installations of the deployment platform's integration. They need the whole API, which knows their
 * admins.
 */
export const INSTALL_ROUTES: Record<string, Route> = {
  "GET /v1/installs": actionRoute("platform.installs", {
    role: "admin",
    summary: "List the team's installations at the deployment platform; those of every team for operators",
    query: listQuery,
    answers: { 200: installs.installList },
    input: ({ query }) => query,
  }),
  "PUT /v1/installs/:configurationId/projects/:projectId": actionRoute("platform.changeProject", {
    role: "admin",
    summary: "Change the routes or the API key of a project at the deployment platform",
    body: installs.projectSettingsBody,
    answers: { 200: installs.install },
    input: ({ params: { configurationId = "", projectId = "" }, body }) => ({
      configurationId,
      projectId,
      settings: body,
    }),
  }),
  "PUT /v1/admin/installs/:configurationId": actionRoute("platform.chooseTeam", {
    role: "admin",
    operatorsOnly: true,
    summary: "Choose the team that an installation's runs are for, before or after it is installed",
    body: installs.installTeamBody,
    answers: { 204: null },
    input: ({ params: { configurationId = "" }, body }) => ({ configurationId, ...body }),
  }),
  "POST /v1/admin/installs/:configurationId/admins": actionRoute("platform.addAdmin", {
    role: "admin",
    operatorsOnly: true,
    summary: "Make a user an admin of the team that an installation created",
    body: installs.installAdminBody,
    answers: { 200: managedTeam },
    input: ({ params: { configurationId = "" }, body }) => ({ configurationId, ...body }),
  }),
};
