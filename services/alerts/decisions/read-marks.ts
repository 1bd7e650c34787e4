import type { EntityManager } from "../../../mixins/database.ts";
import type { AlertsView } from "../../../shared/contracts/monitors/alerts.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { viewOf } from "../notifications/list-notifications.ts";
import { findLastDeliveries, findMarks, type Mark } from "./mark.store.ts";

/** When people were told of a monitor and when they were not to be, and how each receiver answered last. */
export async function readMarks(
  em: EntityManager,
  { teamId }: Caller,
  monitorId: string,
  days: number,
): Promise<AlertsView> {
  const about = { monitorId, teamId };
  const [marks, deliveries] = await Promise.all([findMarks(em, about, days), findLastDeliveries(em, about)]);
  return {
    alerts: marks.flatMap(alertOf),
    snoozes: marks.flatMap(({ at, until }) => (until === null ? [] : [{ from: iso(at), until: iso(until) }])),
    receivers: deliveries.map(viewOf),
  };
}

function alertOf({ kind, at, checkId }: Mark): AlertsView["alerts"] {
  if (kind === "snoozed" || checkId === null) return [];
  // Of one that was approved later, the check's own.
  return [{ kind, at: iso(at), checkId: checkId.split(".")[0] ?? checkId }];
}

function iso(at: string | Date): string {
  return new Date(at).toISOString();
}
