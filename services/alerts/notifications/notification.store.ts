import { findTeamsIn } from "../../../mixins/database/find-teams.ts";
import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";
import type { ChannelName } from "../../../shared/contracts/monitors/alerts.ts";
import type { TeamPage } from "../../../shared/delete-gone-teams.ts";
import type { DigestMessage } from "../notices/digest-message.ts";
import type { NotificationKind, NotificationPayload } from "./message.ts";
import { type Notification, NotificationEntity } from "./notification.entity.ts";
import type { Receiver } from "./receiver.ts";

/** A message to one receiver that is to be queued. */
export interface NewNotification {
  id: string;
  /** A second notification with the same key is ignored. */
  key: string;
  teamId: string | null;
  monitorId: string | null;
  /** In a lane, a notification waits until the one before it has ended. Null if the order does not matter. */
  lane: string | null;
  channel: ChannelName;
  kind: NotificationKind;
  receiver: string;
  target: Receiver;
  payload: NotificationPayload | { digest: DigestMessage };
  /** Why it must not be sent. */
  dropped?: string;
}

/** Queues notifications that are not queued yet. */
export async function insertNotifications(
  em: EntityManager,
  notifications: NewNotification[],
): Promise<void> {
  const secrets = secretsOf(em);
  for (const one of notifications) {
    const { id, key, teamId, monitorId, lane, channel, kind, receiver, target, payload, dropped } = one;
    await em.execute(
      `insert into alerts.notification
         (id, key, team_id, monitor_id, lane, channel, kind, receiver, target, payload, status, answer, ended_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?, ?, case when ? then now() end)
       on conflict (key) do nothing`,
      [
        id,
        key,
        teamId,
        monitorId,
        lane,
        channel,
        kind,
        receiver,
        dropped === undefined ? JSON.stringify(sealJson(secrets, target, "alert receiver")) : null,
        JSON.stringify(payload),
        dropped === undefined ? "queued" : "dropped",
        dropped ?? null,
        dropped !== undefined,
      ],
    );
  }
}

/** A due notification that this node has leased. */
export interface LeasedNotification {
  id: string;
  teamId: string | null;
  monitorId: string | null;
  channel: string;
  kind: string;
  target: unknown;
  payload: unknown;
  /** Number of attempts, including this one. It also proves that a node still holds the lease. */
  attempts: number;
  /** Age since it was queued. */
  ageMs: number;
}

/** Free capacity of a channel on this node, and the running attempts by team. */
export interface Capacity {
  channel: string;
  free: number;
  /** Maximum for one team. */
  teamConcurrency: number;
  teams: Record<string, number>;
}

const IS_DUE = `d.status = 'queued' and d.next_at <= now() and (d.leased_until is null or d.leased_until <= now())`;

/**
 * Leases due notifications: the first of each lane, shared fairly among teams within a channel. Concurrent calls
 * of several nodes get different ones. Another node can lease a notification whose lease expired.
 */
export async function leaseDue(
  em: EntityManager,
  capacities: Capacity[],
  leaseSeconds: number,
): Promise<LeasedNotification[]> {
  const rows: (Omit<LeasedNotification, "ageMs"> & { ageMs: string | number })[] = await em.execute(
    `with capacity as (
       select * from jsonb_to_recordset(?::jsonb) as v (channel text, free int, "teamConcurrency" int, teams jsonb)
     ), due as materialized (
       select t.id from capacity cross join lateral (
         select d.id, d.next_at, row_number() over (partition by d.team_id order by d.next_at, d.seq)
           + coalesce((capacity.teams ->> coalesce(d.team_id, ''))::int, 0) as rank
         from alerts.notification d
         where d.channel = capacity.channel and ${IS_DUE} and (d.lane is null or d.seq = (
           select min(e.seq) from alerts.notification e where e.lane = d.lane and e.status = 'queued'))
         order by rank, d.next_at limit capacity.free
       ) t where t.rank <= capacity."teamConcurrency"
     ), held as materialized (
       select d.id from alerts.notification d where d.id in (select id from due) and ${IS_DUE} for update skip locked
     )
     update alerts.notification d
     set attempts = d.attempts + 1, leased_until = now() + make_interval(secs => ?)
     from held where d.id = held.id
     returning d.id, d.team_id as "teamId", d.monitor_id as "monitorId", d.channel, d.kind, d.target, d.payload,
       d.attempts, extract(epoch from now() - d.created_at) * 1000 as "ageMs"`,
    [JSON.stringify(capacities), leaseSeconds],
  );
  const secrets = secretsOf(em);
  return rows.map(row => ({
    ...row,
    target: openJson(secrets, row.target, "alert receiver"),
    ageMs: Number(row.ageMs),
  }));
}

type Held = Pick<LeasedNotification, "id" | "attempts">;

const STILL_HELD = "id = ? and attempts = ? and status = 'queued'";

/** Ends a notification, and deletes its secrets. Does nothing if the lease expired and another node holds it. */
export async function endNotification(
  em: EntityManager,
  { id, attempts }: Held,
  status: "sent" | "failed" | "dropped",
  answer: string,
): Promise<void> {
  await em.execute(
    `update alerts.notification set status = ?, answer = ?, ended_at = now(), leased_until = null, target = null
     where ${STILL_HELD}`,
    [status, answer, id, attempts],
  );
}

/** Postpones a notification. */
export async function postponeNotification(
  em: EntityManager,
  { id, attempts }: Held,
  waitMs: number,
  answer: string,
): Promise<void> {
  await em.execute(
    `update alerts.notification
     set answer = ?, leased_until = null, next_at = now() + make_interval(secs => ?) where ${STILL_HELD}`,
    [answer, waitMs / 1_000, id, attempts],
  );
}

/** Releases a notification that this node did not attempt. The attempt does not count. */
export async function releaseNotification(em: EntityManager, { id, attempts }: Held): Promise<void> {
  await em.execute(
    `update alerts.notification set leased_until = null, attempts = attempts - 1 where ${STILL_HELD}`,
    [id, attempts],
  );
}

/** Drops a monitor's queued notifications, to one receiver or to all. */
export async function dropQueued(
  em: EntityManager,
  monitorId: string,
  dropReason: string,
  receiver: string | null = null,
): Promise<void> {
  await em.execute(
    `update alerts.notification set status = 'dropped', answer = ?, ended_at = now(), target = null, leased_until = null
     where monitor_id = ? and status = 'queued' and (?::text is null or receiver = ?)`,
    [dropReason, monitorId, receiver, receiver],
  );
}

/** SQL for whether a notification closes an incident. Its parameter are the channels of incident services. */
const CLOSES = `(kind in ('recovered', 'replaced', 'checked', 'renewed', 'passing')
  and channel in (select jsonb_array_elements_text(?::jsonb)))`;

/** Drops a monitor's queued notifications, except those that close incidents on these channels. */
export async function dropAllButClosings(
  em: EntityManager,
  monitorId: string,
  dropReason: string,
  incidentChannels: readonly ChannelName[],
): Promise<void> {
  await em.execute(
    `update alerts.notification set status = 'dropped', answer = ?, ended_at = now(), target = null, leased_until = null
     where monitor_id = ? and status = 'queued'
       and not ${CLOSES}`,
    [dropReason, monitorId, JSON.stringify(incidentChannels)],
  );
}

/**
 * Gives a deleted monitor's queued messages about a problem of the whole team to another monitor of it.
 * @param lanes those of receivers that the other monitors have too
 */
export async function handOverQueued(
  em: EntityManager,
  monitorId: string,
  heir: { id: string; teamId: string; name: string; url: string },
  lanes: ReadonlySet<string>,
): Promise<void> {
  const { id, teamId, name, url } = heir;
  await em.execute(
    `update alerts.notification
     set monitor_id = ?, payload = jsonb_set(payload, '{alert,monitor}', ?::jsonb)
     where monitor_id = ? and status = 'queued' and kind in ('unchecked', 'checked')
       and lane in (select jsonb_array_elements_text(?::jsonb))`,
    [id, JSON.stringify({ id, teamId, name, url }), monitorId, JSON.stringify([...lanes])],
  );
}

/** Returns a monitor's notifications, newest first. One more than the limit shows that there are more. */
export function findNotifications(
  em: EntityManager,
  { teamId, monitorId }: { teamId: string; monitorId: string },
  { limit, before }: { limit: number; before: string | undefined },
): Promise<Notification[]> {
  const id = before === undefined ? {} : { id: { $lt: before } };
  return em.find(
    NotificationEntity,
    { teamId, monitorId, ...id },
    { orderBy: { id: "desc" }, limit: limit + 1 },
  );
}

/** Deletes a batch of old notifications. @returns the number of deleted ones */
export async function deleteOldNotifications(
  em: EntityManager,
  days: number,
  limit: number,
): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from alerts.notification where id in (
       select id from alerts.notification
       where status <> 'queued' and ended_at < now() - make_interval(days => ?) limit ?) returning id`,
    [days, limit],
  );
  return rows.length;
}

const TEAM_TABLES = [
  "alerts.notification",
  "alerts.alert_state",
  "alerts.chart_mark",
  "alerts.webhook",
  "alerts.notice",
  "alerts.chat_app",
  "alerts.incident",
  "alerts.project_chat",
  "alerts.project_email",
];

/** Returns a page of the teams with stored data, in order. */
export function findTeams(em: EntityManager, page: TeamPage): Promise<string[]> {
  return findTeamsIn(em, TEAM_TABLES, page);
}

/** Deletes a team's notifications, except queued ones that close incidents. */
export async function deleteTeamNotifications(
  em: EntityManager,
  teamId: string,
  incidentChannels: readonly ChannelName[],
): Promise<void> {
  await em.execute(
    `delete from alerts.notification where team_id = ? and not (status = 'queued' and ${CLOSES})`,
    [teamId, JSON.stringify(incidentChannels)],
  );
}
