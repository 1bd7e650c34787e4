import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";
import { newId } from "../../../shared/ids.ts";
import type { Subscription } from "./plan-deliveries.rule.ts";
import type { SigningSecrets } from "./webhook-secret.ts";

const PURPOSE = "webhook";

/** The encrypted part of a webhook. Its URL can contain a token. */
export interface WebhookTarget extends SigningSecrets {
  url: string;
}

/** A team's webhook. */
export interface Webhook {
  id: string;
  teamId: string;
  project: string | null;
  description: string;
  events: string[];
  target: WebhookTarget;
  status: "active" | "paused";
  pausedBecause: "member" | "failures" | "gone" | null;
  pausedAt: Date | null;
  failingSince: Date | null;
  createdBy: string;
  createdAt: Date;
}

const COLUMNS = `id, team_id as "teamId", project, description, events, target, status, paused_because as "pausedBecause",
  paused_at as "pausedAt", failing_since as "failingSince", created_by as "createdBy", created_at as "createdAt"`;

type Row = Omit<Webhook, "target"> & { target: WebhookTarget };

function opened(em: EntityManager, row: Row): Webhook {
  const time = (value: Date | string | null) => (value === null ? null : new Date(value));
  return {
    ...row,
    target: openJson(secretsOf(em), row.target, PURPOSE),
    pausedAt: time(row.pausedAt),
    failingSince: time(row.failingSince),
    createdAt: new Date(row.createdAt),
  };
}

function sealed(em: EntityManager, target: WebhookTarget): string {
  return JSON.stringify(sealJson(secretsOf(em), target, PURPOSE));
}

/** Returns a team's webhooks, oldest first. */
export async function findWebhooks(em: EntityManager, teamId: string): Promise<Webhook[]> {
  const rows: Row[] = await em.execute(
    `select ${COLUMNS} from alerts.webhook where team_id = ? order by id`,
    [teamId],
  );
  return rows.map(row => opened(em, row));
}

/** Returns a team's webhook. Null if it has no such one. */
export async function findWebhook(em: EntityManager, teamId: string, id: string): Promise<Webhook | null> {
  const rows: Row[] = await em.execute(`select ${COLUMNS} from alerts.webhook where team_id = ? and id = ?`, [
    teamId,
    id,
  ]);
  return rows[0] ? opened(em, rows[0]) : null;
}

/** The same as `findWebhook`, locked until the transaction ends. */
export async function lockWebhook(tx: EntityManager, teamId: string, id: string): Promise<Webhook | null> {
  const rows: Row[] = await tx.execute(
    `select ${COLUMNS} from alerts.webhook where team_id = ? and id = ? for update`,
    [teamId, id],
  );
  return rows[0] ? opened(tx, rows[0]) : null;
}

/** Returns where and how a webhook's deliveries are sent. Null if it was deleted. */
export async function findTarget(em: EntityManager, id: string): Promise<WebhookTarget | null> {
  const rows: { target: WebhookTarget }[] = await em.execute(
    "select target from alerts.webhook where id = ?",
    [id],
  );
  return rows[0] ? openJson(secretsOf(em), rows[0].target, PURPOSE) : null;
}

/** Locks the webhooks of a team against others, so that their number stays within its bound. */
export async function lockWebhooks(tx: EntityManager, teamId: string): Promise<void> {
  await tx.execute("select pg_advisory_xact_lock(hashtext(?))", [`vrs webhooks ${teamId}`]);
}

export async function insertWebhook(
  em: EntityManager,
  { id, teamId, project, description, events, target, createdBy }: Webhook,
): Promise<void> {
  await em.execute(
    `insert into alerts.webhook (id, team_id, project, description, events, target, created_by)
     values (?, ?, ?, ?, ?::jsonb, ?::jsonb, ?)`,
    [id, teamId, project, description, JSON.stringify(events), sealed(em, target), createdBy],
  );
}

/** Writes what members change: settings, secrets and status. */
export async function updateWebhook(
  em: EntityManager,
  { id, project, description, events, target, status, pausedBecause, pausedAt, failingSince }: Webhook,
): Promise<void> {
  await em.execute(
    `update alerts.webhook set project = ?, description = ?, events = ?::jsonb, target = ?::jsonb, status = ?,
       paused_because = ?, paused_at = ?, failing_since = ? where id = ?`,
    [
      ...[project, description, JSON.stringify(events), sealed(em, target), status],
      ...[pausedBecause, pausedAt, failingSince, id],
    ],
  );
}

/** Deletes a webhook with its log. @returns its URL, or null if there was none */
export async function deleteWebhook(em: EntityManager, teamId: string, id: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    "delete from alerts.webhook where team_id = ? and id = ? returning id",
    [teamId, id],
  );
  if (rows.length === 0) return false;
  await em.execute("delete from alerts.notification where webhook_id = ?", [id]);
  return true;
}

export async function deleteTeamWebhooks(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from alerts.webhook where team_id = ?", [teamId]);
}

/** Returns which events the webhooks of these teams get. */
export async function findSubscriptions(em: EntityManager, teamIds: string[]): Promise<Subscription[]> {
  const rows: (Omit<Subscription, "waiting"> & { waiting: number | string })[] = await em.execute(
    `select w.id, w.team_id as "teamId", w.project, w.events, w.status, (
       select count(*) from alerts.notification d where d.webhook_id = w.id and d.status = 'queued') as waiting
     from alerts.webhook w
     where w.team_id in (select jsonb_array_elements_text(?::jsonb)) order by w.id`,
    [JSON.stringify(teamIds)],
  );
  return rows.map(row => ({ ...row, waiting: Number(row.waiting) }));
}

/** Notes a success: the webhook is not failing. */
export async function markWorking(em: EntityManager, id: string): Promise<void> {
  await em.execute(
    "update alerts.webhook set failing_since = null where id = ? and failing_since is not null",
    [id],
  );
}

/** Notes a failed attempt. @returns for how long the webhook fails, ms; null if it is deleted or paused */
export async function markFailing(em: EntityManager, id: string): Promise<number | null> {
  const rows: { ms: number }[] = await em.execute(
    `update alerts.webhook set failing_since = coalesce(failing_since, now())
     where id = ? and status = 'active' returning extract(epoch from now() - failing_since)::float8 * 1000 as ms`,
    [id],
  );
  return rows[0]?.ms ?? null;
}

/** Pauses an active webhook because of its receiver. A notice becomes due. @returns whether this call did it */
export async function pauseFailing(
  em: EntityManager,
  id: string,
  because: "failures" | "gone",
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update alerts.webhook set status = 'paused', paused_because = ?, paused_at = now(), notice_id = ?
     where id = ? and status = 'active' returning id`,
    [because, newId("act"), id],
  );
  return rows.length === 1;
}

/** Returns the paused webhooks whose admins have no notice yet. */
export async function findDueNotices(em: EntityManager): Promise<(Webhook & { noticeId: string })[]> {
  const rows: (Row & { noticeId: string })[] = await em.execute(
    `select ${COLUMNS}, notice_id as "noticeId" from alerts.webhook
     where notice_id is not null order by id limit 100`,
  );
  return rows.map(row => ({ ...opened(em, row), noticeId: row.noticeId }));
}

export async function markNoticed(em: EntityManager, id: string): Promise<void> {
  await em.execute("update alerts.webhook set notice_id = null where id = ?", [id]);
}
