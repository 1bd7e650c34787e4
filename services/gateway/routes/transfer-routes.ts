import { exportView, importQuery, importView } from "../../../shared/contracts/transfers/transfers.ts";
import { serveExportFile } from "../handlers/transfers/serve-export-file.ts";
import { serveImport } from "../handlers/transfers/serve-import.ts";
import { actionRoute, type Route, servedRoute } from "./route.ts";

/** Routes that export a team's whole data, and import it into another team. */
export const TRANSFER_ROUTES: Record<string, Route> = {
  "POST /v1/teams/:id/export": actionRoute("runs.startExport", {
    role: "admin",
    teamInPath: true,
    summary: "Start an export of a team's data, or get the running one. Secrets are left out",
    answers: { 202: exportView },
    input: () => ({}),
  }),
  "GET /v1/teams/:id/export": actionRoute("runs.export", {
    role: "admin",
    teamInPath: true,
    summary: "Get a team's latest export, with its progress",
    answers: { 200: exportView },
    input: () => ({}),
  }),
  "GET /v1/teams/:id/export/file": servedRoute({
    role: "admin",
    teamInPath: true,
    summary: "Download the file of a team's latest export, for seven days",
    answers: { 200: "application/x-tar" },
    serve: serveExportFile,
  }),
  "POST /v1/teams/:id/import": servedRoute({
    role: "admin",
    teamInPath: true,
    summary:
      "Import the file of an export into a team. Objects get new ids, and existing ones stay as they are",
    query: importQuery,
    rawBody: "application/x-tar",
    hasLongBody: true,
    answers: { 202: importView },
    serve: serveImport,
  }),
  "GET /v1/teams/:id/import": actionRoute("runs.import", {
    role: "admin",
    teamInPath: true,
    summary: "Get a team's latest import, with its progress",
    answers: { 200: importView },
    input: () => ({}),
  }),
};
