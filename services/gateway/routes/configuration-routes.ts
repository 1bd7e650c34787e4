import { configurationBody, configurationView } from "../../../shared/contracts/runs/configuration.ts";
import { actionRoute, type Route } from "./route.ts";

/** Routes for the stored configurations of projects. */
export const CONFIGURATION_ROUTES: Record<string, Route> = {
  "GET /v1/projects/:project/configuration": actionRoute("runs.configuration", {
    role: "viewer",
    summary:
      "Get a project's stored configuration. Runs use it where neither their body nor their repository sets a field. All monitors use the sessions of the project `monitors`",
    answers: { 200: configurationView },
    input: ({ params: { project = "" } }) => ({ project }),
  }),
  "PUT /v1/projects/:project/configuration": actionRoute("runs.putConfiguration", {
    role: "admin",
    summary: "Replace a project's stored configuration. The project doesn't need to exist yet",
    body: configurationBody,
    answers: { 200: configurationView },
    input: ({ params: { project = "" }, body }) => ({ project, ...body }),
  }),
};
