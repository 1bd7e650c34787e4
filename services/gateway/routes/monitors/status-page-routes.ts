import * as pages from "../../../../shared/contracts/monitors/status-pages.ts";
import { newId } from "../../../../shared/ids.ts";
import {
  openStatusPage,
  serveBadge,
  showStatusPage,
} from "../../handlers/status-pages/serve-status-pages.ts";
import { actionRoute, type Route } from "../route.ts";

/** Routes for status pages and badges of monitors. */
export const STATUS_PAGE_ROUTES: Record<string, Route> = {
  "GET /v1/status-pages": actionRoute("monitors.statusPages", {
    role: "viewer",
    summary: "List the team's status pages",
    answers: { 200: pages.statusPageList },
    input: () => ({}),
  }),
  "POST /v1/status-pages": actionRoute("monitors.createStatusPage", {
    role: "admin",
    summary: "Create a status page, which is public unless it has a password",
    body: pages.statusPageBody,
    answers: { 201: pages.statusPageView },
    input: ({ body }) => ({ id: newId("stp"), body }),
  }),
  "PUT /v1/status-pages/:id": actionRoute("monitors.changeStatusPage", {
    role: "admin",
    summary: "Replace a status page",
    body: pages.statusPageBody,
    answers: { 200: pages.statusPageView },
    input: ({ params: { id = "" }, body }) => ({ id, body }),
  }),
  "DELETE /v1/status-pages/:id": actionRoute("monitors.deleteStatusPage", {
    role: "admin",
    summary: "Delete a status page",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "GET /status/:slug": {
    role: "public",
    summary: "Show a status page, or the form for its password",
    answers: { 200: "text/html", 404: "text/html", 429: "text/html" },
    serve: showStatusPage,
  },
  "POST /status/:slug": {
    role: "public",
    summary: "Open a protected status page with its password",
    rawBody: "application/x-www-form-urlencoded",
    answers: { 303: null, 401: "text/html", 404: "text/html", 429: "text/html" },
    serve: openStatusPage,
  },
  "GET /badges/:name": {
    role: "public",
    summary: "Get the badge of a monitor. Its URL can't be guessed",
    answers: { 200: "image/svg+xml", 404: "image/svg+xml", 429: "image/svg+xml" },
    serve: serveBadge,
  },
};
