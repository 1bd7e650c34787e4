import { alertsView, channelsHere, deliveryList, snoozeQuery } from "../../shared/contracts/alerts.ts";
import { listQuery } from "../../shared/contracts/fields.ts";
import { seriesQuery } from "../../shared/contracts/monitor-series.ts";
import { actionRoute, type Route, servedRoute } from "./route.ts";
import { askSnooze, askUnsubscribe, snooze, unsubscribe } from "./serve-alert-links.ts";

const SNOOZE = "/v1/alerts/snooze/:team/:monitor/:until/:signature";
const UNSUBSCRIBE = "/v1/alerts/unsubscribe/:team/:monitor/:address/:signature";

/** The routes about what was sent of monitors, and those that messages lead to: a part of the table of all. */
export const ALERT_ROUTES: Record<string, Route> = {
  "GET /v1/monitors/:id/deliveries": actionRoute("alerts.deliveries", {
    role: "viewer",
    summary: "What was sent of a monitor, to whom and with what outcome, newest first",
    query: listQuery,
    answers: { 200: deliveryList },
    input: ({ params: { id = "" }, query }) => ({ monitorId: id, query }),
  }),
  "GET /v1/monitors/:id/alerts": actionRoute("alerts.marks", {
    role: "viewer",
    summary: "When people were told of a monitor and when not, and the last message to each receiver",
    query: seriesQuery,
    answers: { 200: alertsView },
    input: ({ params: { id = "" }, query }) => ({ monitorId: id, query }),
  }),
  "GET /v1/alerts/channels": actionRoute("alerts.channels", {
    role: "viewer",
    summary: "Which channels of alerts this service can serve",
    answers: { 200: channelsHere },
    input: () => ({}),
  }),
  [`GET ${SNOOZE}`]: {
    role: "signed",
    summary: "A page that asks for how long to snooze; the link is in each alert",
    answers: { 200: "text/html" },
    serve: askSnooze,
  },
  [`POST ${SNOOZE}`]: servedRoute({
    role: "signed",
    summary: "Snooze a monitor by the link of an alert",
    query: snoozeQuery,
    answers: { 200: "text/html" },
    serve: snooze,
  }),
  [`GET ${UNSUBSCRIBE}`]: {
    role: "signed",
    summary: "A page that asks whether an address wants no more mails of a monitor",
    answers: { 200: "text/html" },
    serve: askUnsubscribe,
  },
  [`POST ${UNSUBSCRIBE}`]: {
    role: "signed",
    summary: "End the mails of a monitor to an address; mail programs do it with one click",
    answers: { 200: "text/html" },
    serve: unsubscribe,
  },
};
