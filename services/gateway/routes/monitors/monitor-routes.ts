import { looksQuery, looksView } from "../../../../shared/contracts/comparisons/looks.ts";
import { listQuery } from "../../../../shared/contracts/fields.ts";
import { uptimeQuery, uptimeView } from "../../../../shared/contracts/monitors/availability.ts";
import { checkList, checkView } from "../../../../shared/contracts/monitors/checks.ts";
import { httpResultList } from "../../../../shared/contracts/monitors/http-checks.ts";
import { driftView, seriesQuery } from "../../../../shared/contracts/monitors/monitor-series.ts";
import * as monitors from "../../../../shared/contracts/monitors/monitors.ts";
import { newId } from "../../../../shared/ids.ts";
import { actionRoute, type Route } from "../route.ts";

/** Routes for monitors. The service itself lets only admins change channels. */
export const MONITOR_ROUTES: Record<string, Route> = {
  "POST /v1/monitors": actionRoute("monitors.create", {
    role: "reviewer",
    summary: "Create a monitor. Alert channels require the role `admin`",
    body: monitors.createMonitorBody,
    answers: { 201: monitors.monitorView },
    input: ({ body }) => ({ id: newId("mon"), body }),
  }),
  "GET /v1/monitors": actionRoute("monitors.list", {
    role: "viewer",
    summary: "List the team's monitors, newest first",
    query: monitors.monitorsQuery,
    answers: { 200: monitors.monitorList },
    input: ({ query }) => ({ query }),
  }),
  "GET /v1/monitors/:id": actionRoute("monitors.get", {
    role: "viewer",
    summary: "Get a monitor and the status of its site",
    answers: { 200: monitors.monitorView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "PATCH /v1/monitors/:id": actionRoute("monitors.change", {
    role: "reviewer",
    summary: "Update the given fields of a monitor. Alert channels require the role `admin`",
    body: monitors.changeMonitorBody,
    answers: { 200: monitors.monitorView },
    input: ({ params: { id = "" }, body }) => ({ id, body }),
  }),
  "DELETE /v1/monitors/:id": actionRoute("monitors.delete", {
    role: "reviewer",
    summary: "Delete a monitor and its history",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /v1/monitors/:id/badge": actionRoute("monitors.createBadge", {
    role: "admin",
    summary: "Create a monitor's badge. A badge that exists gets another URL",
    answers: { 200: monitors.monitorView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "DELETE /v1/monitors/:id/badge": actionRoute("monitors.deleteBadge", {
    role: "admin",
    summary: "Delete a monitor's badge",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /v1/monitors/:id/run": actionRoute("monitors.run", {
    role: "reviewer",
    summary: "Start a check now. Available on every plan",
    answers: { 202: checkView },
    input: ({ params: { id = "" } }) => ({ id, checkId: newId("chk") }),
  }),
  "GET /v1/monitors/:id/history": actionRoute("monitors.history", {
    role: "viewer",
    summary: "List a monitor's checks, newest first, with the drift of each page",
    query: listQuery,
    answers: { 200: checkList },
    input: ({ params: { id = "" }, query }) => ({ id, query }),
  }),
  "GET /v1/monitors/:id/http-checks": actionRoute("monitors.httpChecks", {
    role: "viewer",
    summary: "List the results of a monitor's HTTP check, newest first, with each region",
    query: listQuery,
    answers: { 200: httpResultList },
    input: ({ params: { id = "" }, query }) => ({ id, query }),
  }),
  "GET /v1/monitors/:id/drift": actionRoute("monitors.drift", {
    role: "viewer",
    summary: "Get chart data: how much each page differed from its baseline over time",
    query: seriesQuery,
    answers: { 200: driftView },
    input: ({ params: { id = "" }, query }) => ({ id, query }),
  }),
  "GET /v1/monitors/:id/uptime": actionRoute("monitors.uptime", {
    role: "viewer",
    summary: "Get the uptime and the response times of a monitor and of each page",
    query: uptimeQuery,
    answers: { 200: uptimeView },
    input: ({ params: { id = "" }, query }) => ({ id, query }),
  }),
  "GET /v1/monitors/:id/looks": actionRoute("monitors.looks", {
    role: "viewer",
    summary: "List how a page of a monitor looked over time: each look, when it came and went, and why",
    query: looksQuery,
    answers: { 200: looksView },
    input: ({ params: { id = "" }, query }) => ({ id, query }),
  }),
  "DELETE /v1/monitors/:id/snooze": actionRoute("monitors.unsnooze", {
    role: "reviewer",
    summary: "Cancel a monitor's snooze. Does nothing if there is none",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /v1/monitors/:id/snooze": actionRoute("monitors.snooze", {
    role: "reviewer",
    summary: "Snooze a monitor's alerts for a number of hours",
    body: monitors.snoozeBody,
    answers: { 200: monitors.snoozed },
    input: ({ params: { id = "" }, body: { hours } }) => ({ id, hours }),
  }),
  "POST /v1/monitors/:id/test-alert": actionRoute("monitors.testAlert", {
    role: "reviewer",
    summary: "Send a test alert to every channel of a monitor. The list is empty if it has none",
    answers: { 202: monitors.testedAlert },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
};
