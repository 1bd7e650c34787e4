import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";
import type { ChannelName } from "../../../shared/contracts/monitors/alerts.ts";
import type { DeliveryKind, DeliveryPayload } from "./message.ts";
import { type Delivery, DeliveryEntity } from "./notification.entity.ts";
import type { Receiver } from "./receiver.ts";

/** A message that is to be sent to one receiver. */
export interface NewDelivery {
  id: string;
  /** A second one of the same key is none. */
  key: string;
  teamId: string | null;
  monitorId: string | null;
  /** Of one lane the next is sent only when the one before it has ended; null where order does not matter. */
  lane: string | null;
  channel: ChannelName;
  kind: DeliveryKind;
  receiver: string;
  target: Receiver;
  payload: DeliveryPayload;
  /** Why it is not to be sent at all. */
  dropped?: string;
}

/** Queues deliveries, those that are not queued yet. */
export async function insertDeliveries(em: EntityManager, deliveries: NewDelivery[]): Promise<void> {
  const secrets = secretsOf(em);
  for (const one of deliveries) {
    const { id, key, teamId, monitorId, lane, channel, kind, receiver, target, payload, dropped } = one;
    await em.execute(
      `insert into alerts.delivery
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

/** A delivery whose turn it is, leased to this node. */
export interface TakenDelivery {
  id: string;
  teamId: string | null;
  monitorId: string | null;
  channel: string;
  kind: string;
  target: unknown;
  payload: unknown;
  /** With this one. It is also what proves that a node still holds the lease. */
  tries: number;
  /** Since it was queued. */
  ageMs: number;
}

/** Places of a channel that are free on this node, and who has those that are taken. */
export interface Capacity {
  channel: string;
  free: number;
  /** The most that one team may have of all. */
  teamAtOnce: number;
  teams: Record<string, number>;
}

const IS_DUE = `d.status = 'queued' and d.next_at <= now() and (d.leased_until is null or d.leased_until <= now())`;

/**
 * Leases deliveries whose turn it is: the first of each lane, teams taking turns within a channel. Any number of nodes
 * may ask at once; each gets others. A lease that runs out is a delivery that another node takes.
 */
export async function takeDue(
  em: EntityManager,
  capacities: Capacity[],
  leaseSeconds: number,
): Promise<TakenDelivery[]> {
  const rows: (Omit<TakenDelivery, "ageMs"> & { ageMs: string | number })[] = await em.execute(
    `with place as (
       select * from jsonb_to_recordset(?::jsonb) as v (channel text, free int, "teamAtOnce" int, teams jsonb)
     ), due as materialized (
       select t.id from place cross join lateral (
         select d.id, d.next_at, row_number() over (partition by d.team_id order by d.next_at, d.seq)
           + coalesce((place.teams ->> coalesce(d.team_id, ''))::int, 0) as turn
         from alerts.delivery d
         where d.channel = place.channel and ${IS_DUE} and (d.lane is null or d.seq = (
           select min(e.seq) from alerts.delivery e where e.lane = d.lane and e.status = 'queued'))
         order by turn, d.next_at limit place.free
       ) t where t.turn <= place."teamAtOnce"
     ), held as materialized (
       select d.id from alerts.delivery d where d.id in (select id from due) and ${IS_DUE} for update skip locked
     )
     update alerts.delivery d
     set tries = d.tries + 1, leased_until = now() + make_interval(secs => ?)
     from held where d.id = held.id
     returning d.id, d.team_id as "teamId", d.monitor_id as "monitorId", d.channel, d.kind, d.target, d.payload,
       d.tries, extract(epoch from now() - d.created_at) * 1000 as "ageMs"`,
    [JSON.stringify(capacities), leaseSeconds],
  );
  const secrets = secretsOf(em);
  return rows.map(row => ({
    ...row,
    target: openJson(secrets, row.target, "alert receiver"),
    ageMs: Number(row.ageMs),
  }));
}

type Held = Pick<TakenDelivery, "id" | "tries">;

const STILL_HELD = "id = ? and tries = ? and status = 'queued'";

/** Ends a delivery; from then on nothing secret is kept of it. Nothing where the lease ran out and another node has it. */
export async function endDelivery(
  em: EntityManager,
  { id, tries }: Held,
  status: "sent" | "failed" | "dropped",
  answer: string,
): Promise<void> {
  await em.execute(
    `update alerts.delivery set status = ?, answer = ?, ended_at = now(), leased_until = null, target = null
     where ${STILL_HELD}`,
    [status, answer, id, tries],
  );
}

/** Leaves a delivery for later. */
export async function putOff(
  em: EntityManager,
  { id, tries }: Held,
  waitMs: number,
  answer: string,
): Promise<void> {
  await em.execute(
    `update alerts.delivery
     set answer = ?, leased_until = null, next_at = now() + make_interval(secs => ?) where ${STILL_HELD}`,
    [answer, waitMs / 1_000, id, tries],
  );
}

/** Gives back a delivery that this node did not get to: it counts as not tried. */
export async function handBack(em: EntityManager, { id, tries }: Held): Promise<void> {
  await em.execute(`update alerts.delivery set leased_until = null, tries = tries - 1 where ${STILL_HELD}`, [
    id,
    tries,
  ]);
}

/** Drops what is queued of a monitor, or of one of its receivers. */
export async function dropQueued(
  em: EntityManager,
  monitorId: string,
  why: string,
  receiver: string | null = null,
): Promise<void> {
  await em.execute(
    `update alerts.delivery set status = 'dropped', answer = ?, ended_at = now(), target = null, leased_until = null
     where monitor_id = ? and status = 'queued' and (?::text is null or receiver = ?)`,
    [why, monitorId, receiver, receiver],
  );
}

/** Drops what is queued of a monitor, but for the ends of incidents, which are these channels'. */
export async function dropAllButClosings(
  em: EntityManager,
  monitorId: string,
  why: string,
  incidentChannels: ChannelName[],
): Promise<void> {
  await em.execute(
    `update alerts.delivery set status = 'dropped', answer = ?, ended_at = now(), target = null, leased_until = null
     where monitor_id = ? and status = 'queued'
       and not (kind in ('recovered', 'replaced') and channel in (select jsonb_array_elements_text(?::jsonb)))`,
    [why, monitorId, JSON.stringify(incidentChannels)],
  );
}

/** A team's deliveries of a monitor, newest first, one more than the limit when there is more. */
export function findDeliveries(
  em: EntityManager,
  { teamId, monitorId }: { teamId: string; monitorId: string },
  { limit, before }: { limit: number; before: string | undefined },
): Promise<Delivery[]> {
  const id = before === undefined ? {} : { id: { $lt: before } };
  return em.find(DeliveryEntity, { teamId, monitorId, ...id }, { orderBy: { id: "desc" }, limit: limit + 1 });
}

/** Deletes deliveries that ended so many days ago, some at a time. @returns how many */
export async function deleteOldDeliveries(em: EntityManager, days: number, limit: number): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from alerts.delivery where id in (
       select id from alerts.delivery
       where status <> 'queued' and ended_at < now() - make_interval(days => ?) limit ?) returning id`,
    [days, limit],
  );
  return rows.length;
}

/** Teams of which something is kept. */
export async function findTeams(em: EntityManager): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select team_id as id from alerts.delivery where team_id is not null
     union select team_id from alerts.alert_state union select team_id from alerts.mark order by 1`,
  );
  return rows.map(row => row.id);
}

/** Deletes all that was to be told a team. */
export async function deleteTeamDeliveries(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from alerts.delivery where team_id = ?", [teamId]);
}
