import {
  configurationBody,
  configurationView,
} from "../../../../shared/contracts/configuration/configuration.ts";
import { submittedTrial, trialBody } from "../../../../shared/contracts/configuration/trials.ts";
import { newId } from "../../../../shared/ids.ts";
import { actionRoute, type Route } from "../route.ts";

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
  "POST /v1/projects/:project/trials": actionRoute("runs.submitTrial", {
    role: "reviewer",
    summary:
      "Capture one page now to try a configuration. Get the result as a run and its screenshots. It has no baseline and no review, and is deleted after a day",
    body: trialBody,
    answers: { 202: submittedTrial },
    input: ({ params: { project = "" }, body }) => ({ id: newId("run"), project, body }),
  }),
};
