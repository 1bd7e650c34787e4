import * as http from "../../../../shared/contracts/runs/runs.ts";
import {
  defaultedFields,
  rerunBody,
  submitRunBody,
  submittedRun,
  unsetFields,
} from "../../../../shared/contracts/runs/submit-run.ts";
import { newId } from "../../../../shared/ids.ts";
import { prefersLenient } from "../../http/request-headers.ts";
import { actionRoute, type Route } from "../route.ts";

/** Routes of runs. */
export const RUN_ROUTES: Record<string, Route> = {
  "POST /v1/run": actionRoute("runs.submit", {
    role: "reviewer",
    allowsUploadKeys: true,
    summary:
      "Start a run. It continues after the response. Keys that can only upload may start runs of archives of their project",
    body: submitRunBody,
    idempotent: true,
    answers: { 202: submittedRun, 200: submittedRun },
    input: ({ body, providedFields, idempotencyKey, req }) => ({
      id: newId("run"),
      body,
      unsetFields: unsetFields(providedFields),
      defaultedFields: defaultedFields(providedFields),
      lenient: prefersLenient(req.headers.prefer),
      idempotencyKey,
    }),
    status: run => (run.deduplicated ? 200 : 202),
  }),
  "GET /v1/runs": actionRoute("runs.list", {
    role: "viewer",
    summary: "List the team's runs, newest first",
    query: http.listRunsQuery,
    answers: { 200: http.runList },
    input: ({ query }) => ({ query }),
  }),
  "GET /v1/runs/:id": actionRoute("runs.get", {
    role: "viewer",
    allowsUploadKeys: true,
    summary: "Get a run",
    answers: { 200: http.runView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /v1/runs/:id/cancel": actionRoute("runs.cancel", {
    role: "reviewer",
    summary: "Cancel a run that has not ended",
    answers: { 200: http.runView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /v1/runs/:id/rerun": actionRoute("runs.rerun", {
    role: "reviewer",
    summary: "Capture an ended run again, as a new run: all its pages, or only those that failed",
    body: rerunBody,
    idempotent: true,
    answers: { 202: submittedRun, 200: submittedRun },
    input: ({ params: { id = "" }, body: { only }, idempotencyKey }) => ({
      ...{ id, idempotencyKey },
      ...(only && { only }),
    }),
    status: run => (run.deduplicated ? 200 : 202),
  }),
  "POST /v1/runs/:id/links/revoke": actionRoute("runs.revokeLinks", {
    role: "reviewer",
    summary: "Revoke the links to a run's report and images. Returns new links",
    answers: { 200: http.runView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
};
