import { listQuery } from "../../../shared/contracts/fields.ts";
import {
  alertsView,
  availableChannels,
  notificationList,
  snoozeQuery,
} from "../../../shared/contracts/monitors/alerts.ts";
import { seriesQuery } from "../../../shared/contracts/monitors/monitor-series.ts";
import { showSnoozePage, showUnsubscribePage, snooze, unsubscribe } from "../handlers/serve-alert-links.ts";
import { actionRoute, type Route, servedRoute } from "./route.ts";

const SNOOZE = "/v1/alerts/snooze/:team/:monitor/:until/:signature";
const UNSUBSCRIBE = "/v1/alerts/unsubscribe/:team/:monitor/:address/:signature";

/** Routes for notifications of monitors, and for the links in messages. */
export const ALERT_ROUTES: Record<string, Route> = {
  "GET /v1/monitors/:id/deliveries": actionRoute("alerts.notifications", {
    role: "viewer",
    summary: "List a monitor's notifications with receivers and results, newest first",
    query: listQuery,
    answers: { 200: notificationList },
    input: ({ params: { id = "" }, query }) => ({ monitorId: id, query }),
  }),
  "GET /v1/monitors/:id/alerts": actionRoute("alerts.chart", {
    role: "viewer",
    summary: "Get a monitor's alerts and snoozes, and the latest message to each receiver",
    query: seriesQuery,
    answers: { 200: alertsView },
    input: ({ params: { id = "" }, query }) => ({ monitorId: id, query }),
  }),
  "GET /v1/alerts/channels": actionRoute("alerts.channels", {
    role: "viewer",
    summary: "Get the alert channels that are available",
    answers: { 200: availableChannels },
    input: () => ({}),
  }),
  [`GET ${SNOOZE}`]: {
    role: "signed",
    summary: "Show a page to snooze a monitor. Every alert links to it",
    answers: { 200: "text/html" },
    serve: showSnoozePage,
  },
  [`POST ${SNOOZE}`]: servedRoute({
    role: "signed",
    summary: "Snooze a monitor from an alert's link",
    query: snoozeQuery,
    answers: { 200: "text/html" },
    serve: snooze,
  }),
  [`GET ${UNSUBSCRIBE}`]: {
    role: "signed",
    summary: "Show a page to unsubscribe an address from a monitor's mails",
    answers: { 200: "text/html" },
    serve: showUnsubscribePage,
  },
  [`POST ${UNSUBSCRIBE}`]: {
    role: "signed",
    summary: "Unsubscribe an address from a monitor's mails. Mail programs use it for one-click unsubscribe",
    answers: { 200: "text/html" },
    serve: unsubscribe,
  },
};
