import * as incidents from "../../../../shared/contracts/monitors/incidents.ts";
import { actionRoute, type Route } from "../route.ts";

/** Routes for incidents of monitors. */
export const INCIDENT_ROUTES: Record<string, Route> = {
  "GET /v1/incidents": actionRoute("alerts.incidents", {
    role: "viewer",
    summary: "List the incidents of all monitors, newest first",
    query: incidents.incidentsQuery,
    answers: { 200: incidents.incidentList },
    input: ({ query }) => ({ query }),
  }),
  "GET /v1/incidents/:id": actionRoute("alerts.incident", {
    role: "viewer",
    summary: "Get an incident and its timeline",
    answers: { 200: incidents.incidentView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /v1/incidents/:id/acknowledge": actionRoute("alerts.acknowledge", {
    role: "reviewer",
    summary: "Acknowledge an incident, so that its problem isn't alerted again",
    answers: { 200: incidents.incidentView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "PUT /v1/incidents/:id/assignee": actionRoute("alerts.assign", {
    role: "reviewer",
    summary: "Assign an incident to a member, who gets an email. Null removes the assignee",
    body: incidents.assignBody,
    answers: { 200: incidents.incidentView },
    input: ({ params: { id = "" }, body: { login } }) => ({ id, login }),
  }),
  "POST /v1/incidents/:id/comments": actionRoute("alerts.comment", {
    role: "reviewer",
    summary: "Add a comment to an incident's timeline",
    body: incidents.incidentCommentBody,
    answers: { 200: incidents.incidentView },
    input: ({ params: { id = "" }, body: { text } }) => ({ id, text }),
  }),
  "POST /v1/incidents/:id/resolve": actionRoute("alerts.resolve", {
    role: "reviewer",
    summary: "Resolve an incident by hand, and report the recovery to the receivers of its alert",
    body: incidents.resolveBody,
    answers: { 200: incidents.incidentView },
    input: ({ params: { id = "" }, body: { note } }) => ({ id, note }),
  }),
};
