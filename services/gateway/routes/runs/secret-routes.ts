import * as secrets from "../../../../shared/contracts/configuration/secrets.ts";
import { actionRoute, type Route } from "../route.ts";

/** Routes for the secrets of projects. */
export const SECRET_ROUTES: Record<string, Route> = {
  "GET /v1/projects/:project/secrets": actionRoute("runs.secrets", {
    role: "viewer",
    summary:
      "List a project's secrets without their values. The project `monitors` has those of all monitors",
    answers: { 200: secrets.secretList },
    input: ({ params: { project = "" } }) => ({ project }),
  }),
  "PUT /v1/projects/:project/secrets/:name": actionRoute("runs.putSecret", {
    role: "admin",
    summary: "Set a secret of a project. Steps and sessions refer to it by its name",
    body: secrets.secretBody,
    answers: { 200: secrets.secretView },
    input: ({ params: { project = "", name = "" }, body: { value } }) => ({ project, name, value }),
  }),
  "DELETE /v1/projects/:project/secrets/:name": actionRoute("runs.deleteSecret", {
    role: "admin",
    summary: "Delete a secret of a project. Pages that need it fail from then on",
    answers: { 204: null },
    input: ({ params: { project = "", name = "" } }) => ({ project, name }),
  }),
};
