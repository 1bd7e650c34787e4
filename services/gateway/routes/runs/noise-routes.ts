import * as noise from "../../../../shared/contracts/runs/noise.ts";
import { actionRoute, type Route } from "../route.ts";

/** Routes for flaky pages and ignore regions. */
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
    summary: "List a project's ignore regions, newest first",
    query: noise.listIgnoreRegionsQuery,
    answers: { 200: noise.ignoreRegionList },
    input: ({ query }) => ({ query }),
  }),
  "POST /v1/ignore-regions": actionRoute("runs.acceptRegion", {
    role: "reviewer",
    summary: "Accept an ignore region. From the next run, changed pixels inside it don't count",
    body: noise.acceptRegionBody,
    answers: { 201: noise.ignoreRegionView },
    input: ({ body }) => body,
  }),
  "DELETE /v1/ignore-regions/:id": actionRoute("runs.removeRegion", {
    role: "reviewer",
    summary: "Remove an ignore region. From the next run, changed pixels inside it count",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
};
