import type { EntityManager } from "../../../mixins/database.ts";
import type { Notify } from "../../../shared/contracts/teams/notices.ts";
import {
  type EventData,
  type EventType,
  NOTICE_EVENT,
  type OutgoingEvent,
} from "../../../shared/contracts/webhooks/events.ts";
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
  /** People to notify, besides webhooks. */
  notify?: Notify[];
}

type StoredEvent = Omit<OutgoingEvent, "at" | "id">;

/**
 * Stores an event in the transaction of what happened, so that it is published exactly if that is committed. The
 * caller holds the subject's lock, which keeps its events in order.
 */
export async function insertEvent<T extends RunsEvent>(tx: EntityManager, event: NewEvent<T>): Promise<void> {
  await insertStored(tx, event);
}

/** Stores an event that is only for people. It has no payload for webhooks. */
export async function insertPeopleEvent(
  tx: EntityManager,
  event: { teamId: string; project: string; subject: string; notify: Notify[] },
): Promise<void> {
  await insertStored(tx, { type: NOTICE_EVENT, data: {}, ...event });
}

async function insertStored(tx: EntityManager, event: StoredEvent): Promise<void> {
  const { type, teamId, project, subject, data, notify = [] } = event;
  await tx.execute(
    `insert into runs.outgoing_event (id, type, team_id, project, subject, data, notify)
     values (?, ?, ?, ?, ?, ?::jsonb, ?::jsonb)`,
    [newId("evt"), type, teamId, project, subject, JSON.stringify(data), JSON.stringify(notify)],
  );
}

/** Locks a project's events against others until the transaction ends. */
export async function lockEventsOf(tx: EntityManager, teamId: string, project: string): Promise<void> {
  await tx.execute("select pg_advisory_xact_lock(hashtext(?))", [`vrs events ${teamId} ${project}`]);
}

/** Returns the oldest events. */
export async function findOldestEvents(em: EntityManager, limit: number): Promise<OutgoingEvent[]> {
  const rows: (Omit<OutgoingEvent, "at"> & { at: string | Date })[] = await em.execute(
    `select id, type, team_id as "teamId", project, subject, data, coalesce(notify, '[]') as notify, created_at as at
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
