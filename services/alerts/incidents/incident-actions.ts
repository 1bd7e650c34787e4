import { callerAction } from "../../../shared/contracts/bus.ts";
import { acknowledge, assign, comment } from "./manage-incidents.ts";
import { listIncidents, readIncident } from "./read-incidents.ts";
import { resolve } from "./resolve-incident.ts";

/** The actions of the alerts service on incidents. */
export const incidentActions = {
  incidents: callerAction("alerts.incidents", listIncidents),
  incident: callerAction("alerts.incident", readIncident),
  acknowledge: callerAction("alerts.acknowledge", acknowledge),
  assign: callerAction("alerts.assign", assign),
  comment: callerAction("alerts.comment", comment),
  resolve: callerAction("alerts.resolve", resolve),
};
