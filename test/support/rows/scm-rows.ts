import type { EntityManager } from "../../../mixins/database.ts";
import { type CheckRun, CheckRunEntity } from "../../../services/scm/checks/check-run.entity.ts";

/** Inserts a connection whose token nobody reads. */
export async function insertConnectionRow(
  em: EntityManager,
  { id, teamId, lastEventAt = null }: { id: string; teamId: string; lastEventAt?: string | null },
): Promise<void> {
  await em.execute(
    `insert into scm.connection (id, team_id, host, url, host_id, owner, repo, project, access, token_hash, rotates,
       last_event_at, created_by)
     values (?, ?, 'gitlab', 'https://gitlab.example', '1', 'acme', 'shop', 'acme/shop', '{}', '', false, ?::timestamptz, 'ada')`,
    [id, teamId, lastEventAt],
  );
}

/** Makes webhooks due that still have to be written at their code hosts. */
export async function makeHooksDue(em: EntityManager): Promise<void> {
  await em.execute("update scm.connection set hook_due_at = now() where hook_due_at is not null");
}

/** Deletes all rows of the scm service. */
export async function deleteScmRows(em: EntityManager): Promise<void> {
  await em.execute(
    "truncate scm.check_run, scm.pull_request, scm.delivery, scm.handled_event, scm.bootstrap, scm.external_run, scm.pending_app, scm.forwarded_run, scm.mirrored_run, scm.mirrored_thread, scm.mirrored_reply, scm.connection",
  );
}

/** Moves the times of checks, external runs, and deliveries into the past. */
export async function ageScmRows(em: EntityManager, interval: string): Promise<void> {
  await em.execute(
    `update scm.check_run set next_check_at = next_check_at - ?::interval, deadline_at = deadline_at - ?::interval,
       leased_until = leased_until - ?::interval`,
    [interval, interval, interval],
  );
  for (const table of ["external_run", "delivery", "mirrored_run"])
    await em.execute(`update scm.${table} set due_at = due_at - ?::interval`, [interval]);
}

/** Ends all leases of mirrored runs, as after their nodes stopped. */
export async function expireMirrorLeases(em: EntityManager): Promise<void> {
  await em.execute("update scm.mirrored_run set leased_until = now() - interval '1 second'");
}

/** Forgets the comments of threads, as after lost responses. */
export async function forgetThreadComments(em: EntityManager): Promise<void> {
  await em.execute("update scm.mirrored_thread set host_id = null, digest = null");
}

/** Returns the only check. */
export async function readCheck(em: EntityManager): Promise<CheckRun> {
  const [check] = await em.find(CheckRunEntity, {});
  if (!check) throw new Error("There is no check.");
  return check;
}

/** Makes the check look as if its node stopped before it saved the check run's number. */
export async function loseCheckRunNumber(em: EntityManager): Promise<void> {
  await em.execute("update scm.check_run set host_id = null, next_check_at = now()");
}

/** Makes pull requests look as if the number of their comment was never saved. */
export async function loseCommentNumber(em: EntityManager): Promise<void> {
  await em.execute("update scm.pull_request set comment_id = null, build_comment_ids = '{}'");
}

export async function expireCommentLease(em: EntityManager): Promise<void> {
  await em.execute("update scm.pull_request set comment_leased_until = now() - interval '1 second'");
}

/** Returns the only pull request. */
export async function readPull(em: EntityManager) {
  const [pull] = await em.execute(
    "select head_sha, is_open, head ->> 'base' as base from scm.pull_request limit 1",
  );
  if (!pull) throw new Error("There is no pull request.");
  return pull;
}

interface StoredDelivery {
  id: string;
  payload: string | null;
  dueAt: Date | null;
  isDone: boolean;
  isLeased: boolean;
}

export async function readDeliveries(em: EntityManager): Promise<StoredDelivery[]> {
  const rows: (Omit<StoredDelivery, "dueAt"> & { dueAt: string | Date | null })[] = await em.execute(
    `select id, payload, due_at as "dueAt", done_at is not null as "isDone", lease is not null as "isLeased"
     from scm.delivery order by id`,
  );
  return rows.map(row => ({ ...row, dueAt: row.dueAt === null ? null : new Date(row.dueAt) }));
}

export async function setDeliveryRetries(em: EntityManager, retries: number): Promise<void> {
  await em.execute("update scm.delivery set retries = ?", [retries]);
}

/** Makes deliveries look as if they were handled this long ago. */
export async function ageDoneDeliveries(em: EntityManager, interval: string): Promise<void> {
  await em.execute("update scm.delivery set done_at = done_at - ?::interval", [interval]);
}

/** Forgets the events that must not be repeated, as after their retention. */
export async function forgetHandledEvents(em: EntityManager): Promise<void> {
  await em.execute("delete from scm.handled_event");
}

/** Inserts a delivery that another node leased some seconds ago. */
export async function insertLeasedDelivery(em: EntityManager, id: string, secondsAgo: number): Promise<void> {
  await em.execute(
    "insert into scm.delivery (id, lease, leased_at) values (?, 'other', now() - ?::interval)",
    [id, `${secondsAgo} seconds`],
  );
}

/** Makes a leased delivery look as if it was leased some seconds ago. */
export async function ageDeliveryLease(em: EntityManager, secondsAgo: number): Promise<void> {
  await em.execute("update scm.delivery set leased_at = now() - ?::interval where lease is not null", [
    `${secondsAgo} seconds`,
  ]);
}

/** Returns the retries of deliveries, and the age of their leases. */
export function readDeliveryLeases(
  em: EntityManager,
): Promise<{ retries: number; secondsAgo: number | null }[]> {
  return em.execute(
    `select retries, extract(epoch from now() - leased_at)::float8 as "secondsAgo" from scm.delivery
     where done_at is null order by id`,
  );
}

export function readExternalRuns(em: EntityManager): Promise<{ runId: string; dueAt: Date | null }[]> {
  return em.execute(`select run_id as "runId", due_at as "dueAt" from scm.external_run order by run_id`);
}

export function readBootstraps(
  em: EntityManager,
): Promise<{ repo: string; state: string; secondsUntilDue: number | null }[]> {
  return em.execute(
    `select repo, state, extract(epoch from due_at - now())::int as "secondsUntilDue" from scm.bootstrap order by repo`,
  );
}

export async function makeBootstrapsDue(em: EntityManager): Promise<void> {
  await em.execute("update scm.bootstrap set due_at = now() where due_at is not null");
}

export async function agePendingApps(em: EntityManager, interval: string): Promise<void> {
  await em.execute("update scm.pending_app set created_at = created_at - ?::interval", [interval]);
}

export async function countPendingApps(em: EntityManager): Promise<number> {
  const [row]: { count: number }[] = await em.execute("select count(*)::int from scm.pending_app");
  return row?.count ?? 0;
}
