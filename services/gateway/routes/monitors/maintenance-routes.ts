import * as maintenance from "../../../../shared/contracts/monitors/maintenance.ts";
import { newId } from "../../../../shared/ids.ts";
import { actionRoute, type Route } from "../route.ts";

/** Routes for maintenance windows of monitors. */
export const MAINTENANCE_ROUTES: Record<string, Route> = {
  "GET /v1/maintenance": actionRoute("monitors.listMaintenance", {
    role: "viewer",
    summary: "List the maintenance windows that have not ended, newest first",
    query: maintenance.maintenanceQuery,
    answers: { 200: maintenance.maintenanceList },
    input: ({ query }) => ({ query }),
  }),
  "POST /v1/maintenance": actionRoute("monitors.createMaintenance", {
    role: "reviewer",
    summary: "Plan a maintenance window, once or every week",
    body: maintenance.createMaintenanceBody,
    idempotent: true,
    answers: { 201: maintenance.maintenanceView },
    input: ({ body, idempotencyKey }) => ({ id: newId("mtn"), body, idempotencyKey }),
  }),
  "DELETE /v1/maintenance/:id": actionRoute("monitors.endMaintenance", {
    role: "reviewer",
    summary: "End a maintenance window, now if it is active",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
};
