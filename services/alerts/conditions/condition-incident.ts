import type { EntityManager } from "../../../mixins/database.ts";
import type { Condition } from "../../../shared/contracts/monitors/conditions.ts";
import { newId } from "../../../shared/ids.ts";
import {
  insertIncident,
  lockConditionIncident,
  renameIncident,
  resolveIncident,
} from "../incidents/incident.store.ts";
import { coverMonitors } from "../incidents/shared-incident.store.ts";
import { insertEntry } from "../incidents/timeline.store.ts";
import { type ConditionTrack, isShared, trackOf } from "./condition-track.rule.ts";

/**
 * Opens or resolves the incident of a condition, in the transaction that queues its notifications. A condition that
 * gets worse while its incident is open changes the incident's title.
 * @param monitor the first of the monitors that are reported. One incident stands for all of the condition
 * @returns the id of the incident. Null if a condition ends that has none
 */
export async function recordConditionIncident(
  tx: EntityManager,
  { source, kind, at, title, text, monitors }: Condition,
  monitor: { id: string; teamId: string; name: string },
): Promise<string | null> {
  const { track, isEnd } = trackOf(kind);
  const open = await lockConditionIncident(tx, track, scopeOf(track, monitor));
  if (isEnd) {
    if (!open) return null;
    await resolveIncident(tx, open.id, { source, resolution: "recovered", by: null });
    await insertEntry(tx, open.id, { kind: "resolved", by: null, resolution: "recovered", text: null });
    return open.id;
  }
  if (open) {
    await renameIncident(tx, open.id, title);
    if (isShared(track)) await coverMonitors(tx, open.id, monitors);
    return open.id;
  }
  const id = newId("inc");
  await insertIncident(tx, {
    ...{ id, teamId: monitor.teamId, monitorId: monitor.id, monitorName: monitor.name },
    ...{ kind: track, about: track, title, checkId: "", runId: null, track },
    ...{ openedAt: new Date(at), openedSource: source },
  });
  // A snoozed monitor keeps the incident open too, when the others are deleted.
  if (isShared(track)) await coverMonitors(tx, id, monitors);
  await insertEntry(tx, id, { kind: "opened", text });
  return id;
}

/** Monitors that aren't checked are one problem of the whole team. All other conditions belong to a monitor. */
function scopeOf(
  track: ConditionTrack,
  { id, teamId }: { id: string; teamId: string },
): { teamId: string; monitorId: string | null } {
  return { teamId, monitorId: isShared(track) ? null : id };
}
