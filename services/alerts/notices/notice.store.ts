import type { EntityManager } from "../../../mixins/database.ts";
import type { OutgoingEvent } from "../../../shared/contracts/webhooks/events.ts";
import type { WaitingNotice } from "./digest.rule.ts";
import type { PlannedNotice } from "./receivers.rule.ts";

/** Queues the notices of an event. Those that were queued before are ignored, even after their digest was sent. */
export async function insertNotices(
  tx: EntityManager,
  { id: eventId, teamId, project, subject: runId }: OutgoingEvent,
  notices: PlannedNotice[],
): Promise<void> {
  await tx.execute(
    `insert into alerts.notice (event_id, receiver, kind, team_id, project, run_id, comment_id)
     select ?, v.receiver, v.kind, ?, ?, ?, v."commentId"
     from jsonb_to_recordset(?::jsonb) as v (receiver text, kind text, "commentId" text) on conflict do nothing`,
    [eventId, teamId, project, runId, JSON.stringify(notices)],
  );
}

/** A digest that is due. */
export interface DueDigest {
  teamId: string;
  project: string;
  runId: string;
  receiver: string;
}

/** When digests are due. */
export interface DigestPace {
  /** Time that notices of a run wait for others. */
  delaySeconds: number;
  /** Least time between two digests of a run to a receiver. */
  gapSeconds: number;
  /** Most digests to a receiver in an hour. The others wait. */
  perHour: number;
}

/** Finds due digests, the longest waiting first. */
export function findDueDigests(em: EntityManager, pace: DigestPace, limit: number): Promise<DueDigest[]> {
  return em.execute(
    `select due."teamId", due.project, due."runId", due.receiver from (
       select n.team_id as "teamId", n.project, n.run_id as "runId", n.receiver, min(n.created_at) as since,
         row_number() over (partition by n.receiver order by min(n.created_at), n.run_id) as place
       from alerts.notice n where n.digest_id is null
       group by n.team_id, n.project, n.run_id, n.receiver
       having min(n.created_at) <= now() - make_interval(secs => ?)
         and not exists (select from alerts.notice sent where sent.run_id = n.run_id and sent.receiver = n.receiver
           and sent.digested_at > now() - make_interval(secs => ?))) due
     where due.receiver = 'chat' or due.place + (select count(distinct sent.digest_id) from alerts.notice sent
       where sent.receiver = due.receiver and sent.digest_id <> '' and sent.digested_at > now() - interval '1 hour') <= ?
     order by due.since limit ?`,
    [pace.delaySeconds, pace.gapSeconds, pace.perHour, limit],
  );
}

/** Finds the notices of a digest, oldest first. */
export function findWaitingNotices(
  em: EntityManager,
  { runId, receiver }: DueDigest,
  limit: number,
): Promise<WaitingNotice[]> {
  return em.execute(
    `select event_id as "eventId", kind, comment_id as "commentId" from alerts.notice
     where run_id = ? and receiver = ? and digest_id is null order by created_at, event_id limit ?`,
    [runId, receiver, limit],
  );
}

/**
 * Takes notices into a digest, within the transaction that queues it. A node that comes second takes none, even if it
 * read later ones too.
 * @param digestId empty if they are dropped @returns whether this call took them
 */
export async function takeNotices(
  tx: EntityManager,
  { runId, receiver }: DueDigest,
  notices: readonly WaitingNotice[],
  digestId: string,
): Promise<boolean> {
  const eventIds = JSON.stringify(notices.map(({ eventId }) => eventId));
  const held: object[] = await tx.execute(
    `select event_id from alerts.notice where run_id = ? and receiver = ? and digest_id is null
       and event_id in (select jsonb_array_elements_text(?::jsonb)) for update`,
    [runId, receiver, eventIds],
  );
  if (held.length < notices.length) return false;
  await tx.execute(
    `update alerts.notice set digest_id = ?, digested_at = case when ? = '' then null else now() end
     where run_id = ? and receiver = ? and digest_id is null
       and event_id in (select jsonb_array_elements_text(?::jsonb))`,
    [digestId, digestId, runId, receiver, eventIds],
  );
  return true;
}

/** Deletes a batch of old notices. @returns the number of deleted ones */
export async function deleteOldNotices(em: EntityManager, days: number, limit: number): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from alerts.notice where (event_id, receiver, kind) in (
       select event_id, receiver, kind from alerts.notice
       where created_at < now() - make_interval(days => ?) limit ?) returning event_id`,
    [days, limit],
  );
  return rows.length;
}

export async function deleteTeamNotices(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from alerts.notice where team_id = ?", [teamId]);
  await em.execute("delete from alerts.project_chat where team_id = ?", [teamId]);
}
