import type { EntityManager } from "../../../mixins/database.ts";
import type { EventData, EventType, OutgoingEvent } from "../../../shared/contracts/webhooks/events.ts";
import { newId } from "../../../shared/ids.ts";

type RunsEvent = Exclude<EventType, `monitor.${string}` | "webhook.test">;

/** An event of a run, a build or a project. */
export interface NewEvent<T extends RunsEvent> {
  type: T;
  teamId: string;
  project: string;
  /** Events about the same run or project are delivered in order. */
  subject: string;
  data: EventData<T>;
}

/**
 * Stores an event in the transaction of what happened, so that it is published exactly if that is committed. The
 * caller holds the subject's lock, which keeps its events in order.
 */
export async function insertEvent<T extends RunsEvent>(tx: EntityManager, event: NewEvent<T>): Promise<void> {
  const { type, teamId, project, subject, data } = event;
  await tx.execute(
    `insert into runs.outgoing_event (id, type, team_id, project, subject, data) values (?, ?, ?, ?, ?, ?::jsonb)`,
    [newId("evt"), type, teamId, project, subject, JSON.stringify(data)],
  );
}

/** Locks a project's events against others until the transaction ends. */
export async function lockEventsOf(tx: EntityManager, teamId: string, project: string): Promise<void> {
  await tx.execute("select pg_advisory_xact_lock(hashtext(?))", [`vrs events ${teamId} ${project}`]);
}

/** Returns the oldest events. */
export async function findOldestEvents(em: EntityManager, limit: number): Promise<OutgoingEvent[]> {
  const rows: (Omit<OutgoingEvent, "at"> & { at: string | Date })[] = await em.execute(
    `select id, type, team_id as "teamId", project, subject, data, created_at as at
     from runs.outgoing_event order by seq limit ?`,
    [limit],
  );
  return rows.map(row => ({ ...row, at: new Date(row.at).toISOString() }));
}

/** Deletes events that were published. */
export async function deleteEvents(em: EntityManager, ids: string[]): Promise<void> {
  await em.execute(
    "delete from runs.outgoing_event where id in (select jsonb_array_elements_text(?::jsonb))",
    [JSON.stringify(ids)],
  );
}
