import { listQuery } from "../../../../shared/contracts/fields.ts";
import {
  alertsView,
  availableChannels,
  notificationList,
  snoozeQuery,
} from "../../../../shared/contracts/monitors/alerts.ts";
import { seriesQuery } from "../../../../shared/contracts/monitors/monitor-series.ts";
import {
  projectChatBody,
  projectChatList,
  projectChatView,
} from "../../../../shared/contracts/monitors/project-chat.ts";
import { projectEmailBody, projectEmailView } from "../../../../shared/contracts/monitors/project-email.ts";
import {
  showSnoozePage,
  showUnsubscribePage,
  snooze,
  unsubscribe,
} from "../../handlers/serve-alert-links.ts";
import {
  showStopNoticesPage,
  showUnsubscribeProjectPage,
  stopNotices,
  unsubscribeProject,
} from "../../handlers/serve-notice-links.ts";
import { actionRoute, type Route, servedRoute } from "../route.ts";

const SNOOZE = "/v1/alerts/snooze/:team/:monitor/:until/:signature";
const UNSUBSCRIBE = "/v1/alerts/unsubscribe/:team/:monitor/:address/:signature";

const STOP = "/v1/notices/stop/:user/:kinds/:signature";
const LEAVE_PROJECT = "/v1/notices/unsubscribe/:team/:id/:address/:signature";

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
  [`GET ${STOP}`]: {
    role: "signed",
    summary: "Show a page to stop a person's emails. Every digest links to it",
    answers: { 200: "text/html" },
    serve: showStopNoticesPage,
  },
  [`POST ${STOP}`]: {
    role: "signed",
    summary: "Stop a person's emails of some kinds. Mail programs use it for one-click unsubscribe",
    answers: { 200: "text/html" },
    serve: stopNotices,
  },
  [`GET ${LEAVE_PROJECT}`]: {
    role: "signed",
    summary: "Show a page to unsubscribe an address from a project's emails",
    answers: { 200: "text/html" },
    serve: showUnsubscribeProjectPage,
  },
  [`POST ${LEAVE_PROJECT}`]: {
    role: "signed",
    summary: "Unsubscribe an address from a project's emails. Mail programs use it for one-click unsubscribe",
    answers: { 200: "text/html" },
    serve: unsubscribeProject,
  },
  "GET /v1/projects/:project/email": actionRoute("alerts.projectEmail", {
    role: "viewer",
    summary: "Get the email addresses that get a project's runs that need review",
    answers: { 200: projectEmailView },
    input: ({ params: { project = "" } }) => ({ project }),
  }),
  "PUT /v1/projects/:project/email": actionRoute("alerts.putProjectEmail", {
    role: "admin",
    summary:
      "Set a project's email addresses. They get its runs that need review, or the alerts of all monitors for the project `monitors`. The project doesn't need to exist yet",
    body: projectEmailBody,
    answers: { 200: projectEmailView },
    input: ({ params: { project = "" }, body }) => ({ project, ...body }),
  }),
  "GET /v1/projects/:project/chat": actionRoute("alerts.projectChat", {
    role: "viewer",
    summary: "Get the chat channel that gets notifications about a project's runs",
    answers: { 200: projectChatView },
    input: ({ params: { project = "" } }) => ({ project }),
  }),
  "GET /v1/teams/:id/chat-channels": actionRoute("alerts.projectChats", {
    role: "viewer",
    teamInPath: true,
    summary: "List the chat channels of a team's projects, each with its last message",
    query: listQuery,
    answers: { 200: projectChatList },
    input: ({ query }) => ({ query }),
  }),
  "POST /v1/projects/:project/chat/test": actionRoute("alerts.testProjectChat", {
    role: "admin",
    summary: "Send a test message to a project's chat channel",
    answers: { 202: projectChatView },
    input: ({ params: { project = "" } }) => ({ project }),
  }),
  "PUT /v1/projects/:project/chat": actionRoute("alerts.putProjectChat", {
    role: "admin",
    summary: "Set or remove a project's chat channel. The project doesn't need to exist yet",
    body: projectChatBody,
    answers: { 200: projectChatView },
    input: ({ params: { project = "" }, body }) => ({ project, ...body }),
  }),
};
