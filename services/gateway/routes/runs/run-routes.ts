import { proofSchema } from "../../../../shared/contracts/runs/proof.ts";
import * as http from "../../../../shared/contracts/runs/runs.ts";
import {
  defaultedFields,
  rerunBody,
  submitRunBody,
  submittedRun,
  unsetFields,
} from "../../../../shared/contracts/runs/submit-run.ts";
import { imageQuery } from "../../../../shared/contracts/runs/thumbnails.ts";
import { liveQuery } from "../../../../shared/contracts/teams/live.ts";
import { newId } from "../../../../shared/ids.ts";
import { serveArchiveSite } from "../../handlers/serve-archive-site.ts";
import { serveImage } from "../../handlers/serve-image.ts";
import { serveReport } from "../../handlers/serve-report.ts";
import { serveScreenshots } from "../../handlers/serve-screenshots.ts";
import { prefersLenient } from "../../http/request-headers.ts";
import { serveEvents } from "../../streams/serve-events.ts";
import { serveProgress } from "../../streams/serve-progress.ts";
import { actionRoute, type Route, servedRoute } from "../route.ts";

/** Routes of runs, their progress and screenshots. */
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
  "GET /v1/runs/:id/events": {
    role: "viewer",
    allowsUploadKeys: true,
    teamInQuery: true,
    summary: "Stream a run's progress as server-sent events until it ends, or its reviews too",
    query: http.progressQuery,
    answers: { 200: "text/event-stream" },
    serve: serveProgress,
  },
  "GET /v1/events": {
    role: "viewer",
    teamInQuery: true,
    summary: "Stream the ids of the team's changed runs and monitors as server-sent events",
    query: liveQuery,
    answers: { 200: "text/event-stream" },
    serve: serveEvents,
  },
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
    answers: { 202: submittedRun },
    input: ({ params: { id = "" }, body: { only } }) => ({ id, ...(only && { only }) }),
  }),
  "POST /v1/runs/:id/links/revoke": actionRoute("runs.revokeLinks", {
    role: "reviewer",
    summary: "Revoke the links to a run's report and images. Returns new links",
    answers: { 200: http.runView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "GET /v1/reports/:id": {
    role: "link",
    summary: "Get the HTML report of a run",
    query: http.reportQuery,
    answers: { 200: "text/html" },
    serve: serveReport,
  },
  "GET /v1/screenshots/:runId": {
    role: "viewer",
    allowsUploadKeys: true,
    summary: "List the screenshots of a run with their metadata",
    query: http.listScreenshotsQuery,
    answers: { 200: http.screenshotList },
    serve: serveScreenshots,
  },
  "POST /v1/screenshots/:id/prove": actionRoute("runs.prove", {
    role: "reviewer",
    summary:
      "Prove which file causes a screenshot's change: capture the page with files of its baseline. It continues after the response, and counts as a run with one screenshot",
    answers: { 202: proofSchema },
    input: ({ params: { id = "" } }) => ({ id }),
    status: () => 202,
  }),
  "GET /v1/sites/:team/:signature/*path": {
    role: "signed",
    summary:
      "Get a file of a run's archive, for people who open a story. A screenshot's `story` has the link",
    answers: { 200: "*/*" },
    serve: serveArchiveSite,
  },
  "GET /v1/images/:team/:signature/:file": servedRoute({
    role: "signed",
    summary: "Get an image, or with `w` its WebP thumbnail. The screenshot's metadata has the link",
    query: imageQuery,
    answers: { 200: "image/png" },
    serve: serveImage,
  }),
};
