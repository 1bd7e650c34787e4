import type { Service } from "moleculer";
import { action, callerAction } from "../../../shared/contracts/bus.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { acknowledge, assign, comment } from "./manage-incidents.ts";
import { listIncidents, readIncident, readOutages } from "./read-incidents.ts";
import { resolve } from "./resolve-incident.ts";

interface Incidents extends Service {
  context: AlertsContext;
}

/** The actions of the alerts service on incidents. */
export const incidentActions = {
  incidents: callerAction("alerts.incidents", listIncidents),
  outages: action("alerts.outages", function (this: Incidents, params) {
    return readOutages(this.context, params);
  }),
  incident: callerAction("alerts.incident", readIncident),
  acknowledge: callerAction("alerts.acknowledge", acknowledge),
  assign: callerAction("alerts.assign", assign),
  comment: callerAction("alerts.comment", comment),
  resolve: callerAction("alerts.resolve", resolve),
};
