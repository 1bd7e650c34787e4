import type { EntityManager } from "../../../mixins/database.ts";
import {
  MAX_TIMELINE_ENTRIES,
  type Resolution,
  type TimelineEntry,
} from "../../../shared/contracts/monitors/incidents.ts";
import { isShared } from "../conditions/condition-track.rule.ts";
import type { Incident } from "./incident.store.ts";

/** Messages that end an incident. */
const ENDINGS = "('recovered', 'replaced', 'checked', 'renewed', 'passing')";

/** An entry as it is stored. Its time is a column. */
export type StoredEntry =
  | { kind: "opened"; text: string }
  | { kind: "confirmed"; attempts: number }
  | { kind: "acknowledged"; by: string }
  | { kind: "assigned"; by: string; login: string | null }
  | { kind: "commented"; by: string; text: string }
  | { kind: "resolved"; by: string | null; resolution: Resolution; text: string | null };

/** Adds an entry to a timeline. @param at default: now, on the database's clock */
export async function insertEntry(
  tx: EntityManager,
  incidentId: string,
  entry: StoredEntry,
  at: Date | null = null,
): Promise<void> {
  await tx.execute(
    `insert into alerts.incident_entry (incident_id, entry, at)
     values (?, ?::jsonb, coalesce(?::timestamptz, clock_timestamp()))`,
    [incidentId, JSON.stringify(entry), at],
  );
}

/** Returns the number of entries of a timeline. */
export async function countEntries(tx: EntityManager, incidentId: string): Promise<number> {
  const [row]: { count: number }[] = await tx.execute(
    "select count(*)::int as count from alerts.incident_entry where incident_id = ?",
    [incidentId],
  );
  return row?.count ?? 0;
}

/** Returns the stored entries of a timeline, oldest first. */
export async function findEntries(
  em: EntityManager,
  incidentId: string,
): Promise<(StoredEntry & { at: string })[]> {
  const rows: { at: string | Date; entry: StoredEntry }[] = await em.execute(
    "select at, entry from alerts.incident_entry where incident_id = ? order by id limit ?",
    [incidentId, MAX_TIMELINE_ENTRIES],
  );
  return rows.map(({ at, entry }) => ({ ...entry, at: new Date(at).toISOString() }));
}

type Notified = Extract<TimelineEntry, { kind: "notified" }>;

/**
 * Returns the notifications about an incident. A message that closed the incident before it is part of that one. The
 * incident of a condition has those of each time that it got worse. One of several monitors has those of all, also of
 * deleted ones.
 */
export async function findNotified(
  em: EntityManager,
  { id, kind, teamId, monitorId, openedSource, resolvedSource }: Incident,
): Promise<Notified[]> {
  const monitors = isShared(kind) ? [] : [monitorId];
  const rows: (Omit<Notified, "at" | "kind"> & { at: string | Date })[] = await em.execute(
    `select coalesce(ended_at, created_at) as at, channel, receiver, kind as message, status, answer
     from alerts.notification where team_id = ? ${isShared(kind) ? "" : "and monitor_id = ?"}
       and (((starts_with(key, ?) or payload -> 'alert' ->> 'incidentId' = ?) and kind not in ${ENDINGS})
         or (starts_with(key, ?) and kind in ${ENDINGS}))
     order by seq limit ?`,
    [
      ...[teamId, ...monitors, `${openedSource} `, id],
      ...[`${resolvedSource ?? openedSource} `, MAX_TIMELINE_ENTRIES],
    ],
  );
  return rows.map(({ at, ...row }) => ({ ...row, kind: "notified", at: new Date(at).toISOString() }));
}
