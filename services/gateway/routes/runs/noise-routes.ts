import * as rules from "../../../../shared/contracts/noise/ignore-rules.ts";
import * as noise from "../../../../shared/contracts/noise/noise.ts";
import { actionRoute, type Route } from "../route.ts";

/** Routes for flaky pages and ignore rules. */
export const NOISE_ROUTES: Record<string, Route> = {
  "GET /v1/noise": actionRoute("runs.noise", {
    role: "viewer",
    summary: "Get a project's flakiest pages and suggested ignore regions",
    query: noise.noiseQuery,
    answers: { 200: noise.noiseView },
    input: ({ query }) => ({ query }),
  }),
  "POST /v1/noise/dismiss": actionRoute("runs.dismissRegion", {
    role: "reviewer",
    summary: "Dismiss a suggested ignore region until three more observations of noise",
    body: noise.dismissRegionBody,
    answers: { 204: null },
    input: ({ body }) => body,
  }),
  "GET /v1/ignore-regions": actionRoute("runs.ignoreRegions", {
    role: "viewer",
    summary: "List a project's ignore rules, which are ignore regions and raised thresholds, newest first",
    query: rules.listIgnoreRegionsQuery,
    answers: { 200: rules.ignoreRegionList },
    input: ({ query }) => ({ query }),
  }),
  "POST /v1/ignore-regions": actionRoute("runs.acceptRegion", {
    role: "reviewer",
    summary:
      "Add an ignore rule: a region in which changed pixels don't count, or a raised threshold. It applies from the next run on, and at once to the undecided screenshots of one run",
    body: rules.acceptRegionBody,
    answers: { 201: rules.acceptedRegion },
    input: ({ body }) => body,
  }),
  "POST /v1/ignore-regions/preview": actionRoute("runs.previewRule", {
    role: "viewer",
    summary: "Preview what an ignore rule would have hidden in the project's last ten completed runs",
    body: rules.previewRuleBody,
    answers: { 200: rules.rulePreview },
    input: ({ body }) => body,
  }),
  "GET /v1/ignore-regions/configuration": actionRoute("runs.ruleConfiguration", {
    role: "viewer",
    summary: "Export a project's active ignore rules as a part of `service.config.ts`",
    query: rules.ruleConfigurationQuery,
    answers: { 200: rules.ruleConfiguration },
    input: ({ query }) => query,
  }),
  "PATCH /v1/ignore-regions/:id": actionRoute("runs.changeRule", {
    role: "reviewer",
    summary: "Change an ignore rule, or end it",
    body: rules.changeRuleBody,
    answers: { 200: rules.ignoreRegionView },
    input: ({ params: { id = "" }, body }) => ({ id, body }),
  }),
  "DELETE /v1/ignore-regions/:id": actionRoute("runs.removeRegion", {
    role: "reviewer",
    summary: "Remove an ignore rule. From the next run, changed pixels inside its region count",
    query: rules.removeRegionQuery,
    answers: { 204: null },
    input: ({ params: { id = "" }, query: { runId } }) => ({ id, ...(runId !== undefined && { runId }) }),
  }),
};
