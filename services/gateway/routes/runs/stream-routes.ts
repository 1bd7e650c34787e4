import * as http from "../../../../shared/contracts/runs/runs.ts";
import { liveQuery } from "../../../../shared/contracts/teams/live.ts";
import { serveEvents } from "../../streams/serve-events.ts";
import { serveProgress } from "../../streams/serve-progress.ts";
import type { Route } from "../route.ts";

/** Routes of event streams: the progress of a run, and what changes in a team. */
export const STREAM_ROUTES: Record<string, Route> = {
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
};
