import { listQuery } from "../../shared/contracts/fields.ts";
import { driftView, seriesQuery } from "../../shared/contracts/monitor-series.ts";
import * as monitors from "../../shared/contracts/monitors.ts";
import { newId } from "../../shared/ids.ts";
import { actionRoute, type Route } from "./route.ts";

/** The routes about monitors. Their channels are for admins to change, which the service itself sees to. */
export const MONITOR_ROUTES: Record<string, Route> = {
  "POST /v1/monitors": actionRoute("monitors.create", {
    role: "reviewer",
    summary: "Create a monitor; one with channels needs an admin",
    body: monitors.createMonitorBody,
    answers: { 201: monitors.monitorView },
    input: ({ body }) => ({ id: newId("mon"), body }),
  }),
  "GET /v1/monitors": actionRoute("monitors.list", {
    role: "viewer",
    summary: "List the team's monitors, newest first",
    query: listQuery,
    answers: { 200: monitors.monitorList },
    input: ({ query }) => ({ query }),
  }),
  "GET /v1/monitors/:id": actionRoute("monitors.get", {
    role: "viewer",
    summary: "One monitor, and how its site is",
    answers: { 200: monitors.monitorView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "PATCH /v1/monitors/:id": actionRoute("monitors.change", {
    role: "reviewer",
    summary: "Change a monitor: what is named; its channels need an admin",
    body: monitors.changeMonitorBody,
    answers: { 200: monitors.monitorView },
    input: ({ params: { id = "" }, body }) => ({ id, body }),
  }),
  "DELETE /v1/monitors/:id": actionRoute("monitors.delete", {
    role: "reviewer",
    summary: "Delete a monitor with its history",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /v1/monitors/:id/run": actionRoute("monitors.run", {
    role: "reviewer",
    summary: "Check now, on any plan",
    answers: { 202: monitors.checkView },
    input: ({ params: { id = "" } }) => ({ id, checkId: newId("chk") }),
  }),
  "GET /v1/monitors/:id/history": actionRoute("monitors.history", {
    role: "viewer",
    summary: "A monitor's checks, newest first, with the drift of each page and width",
    query: listQuery,
    answers: { 200: monitors.checkList },
    input: ({ params: { id = "" }, query }) => ({ id, query }),
  }),
  "GET /v1/monitors/:id/drift": actionRoute("monitors.drift", {
    role: "viewer",
    summary: "How far each page and width was from its baseline, in few enough points for a chart",
    query: seriesQuery,
    answers: { 200: driftView },
    input: ({ params: { id = "" }, query }) => ({ id, query }),
  }),
  "DELETE /v1/monitors/:id/snooze": actionRoute("monitors.unsnooze", {
    role: "reviewer",
    summary: "Lift a monitor's snooze; where there is none it does nothing",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /v1/monitors/:id/snooze": actionRoute("monitors.snooze", {
    role: "reviewer",
    summary: "Keep a monitor's alerts back for so many hours",
    body: monitors.snoozeBody,
    answers: { 200: monitors.snoozed },
    input: ({ params: { id = "" }, body: { hours } }) => ({ id, hours }),
  }),
  "POST /v1/monitors/:id/test-alert": actionRoute("monitors.testAlert", {
    role: "reviewer",
    summary: "Send a sample alert to every channel of a monitor",
    answers: { 202: monitors.testedAlert },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
};
