import type { EntityManager } from "../../../mixins/database.ts";
import type { RepositoryName } from "../code-host/code-host.ts";
import type { FullLanes, Lane } from "../lanes/lanes.ts";
import { leaseLanes } from "../lanes/lease-lanes.ts";

/** Queries about threads of reviews that also appear on a pull request. `em` is one unit of work. */

/** The holder of a run renews its lease. A node that stops keeps it for this long at most. */
const LEASE_DURATION = "interval '90 seconds'";

/** A run whose threads appear on a pull request, under the caller's lease. */
export interface MirroredRun extends RepositoryName {
  runId: string;
  /** Null for the app's team. */
  teamId: string | null;
  installationId: string;
  repoId: string;
  pull: number;
  /** Increases with each lease, so that an earlier holder cannot write anymore. */
  lease: number;
  failures: number;
}

// A run has two checks after its repository was connected again. The latest one counts.
const RUN_OF_CHECK = `insert into scm.mirrored_run as m (run_id, team_id, installation_id, repo_id, owner, repo, pull, due_at, wake_at)
  select distinct on (c.run_id) c.run_id, c.team_id, c.installation_id, c.repo_id, c.owner, c.repo, (c.pull ->> 'number')::int, now(), clock_timestamp()
  from scm.check_run c`;
const LATEST = "order by c.run_id, c.created_at desc";
const OF_CHECK = `installation_id = excluded.installation_id, repo_id = excluded.repo_id, owner = excluded.owner,
  repo = excluded.repo`;
const MAKE_DUE = `on conflict (run_id) do update set due_at = now(), wake_at = clock_timestamp(), failures = 0, ${OF_CHECK}`;

/** Makes the threads of a run due, if the run checks a pull request. @returns whether it does */
export async function requestMirror(em: EntityManager, runId: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `${RUN_OF_CHECK} where c.run_id = ? and c.pull is not null ${LATEST} ${MAKE_DUE} returning run_id`,
    [runId],
  );
  return rows.length > 0;
}

/** Makes the threads of all runs due whose pull request is still under review, for events that got lost. */
export async function requestOpenMirrors(em: EntityManager): Promise<void> {
  await em.execute(
    `${RUN_OF_CHECK} join scm.pull_request p
       on p.repo_id = c.repo_id and p.number = (c.pull ->> 'number')::int and p.head_sha = c.sha and p.is_open
     where c.run_id is not null and c.conclusion is not null and c.created_at > now() - interval '14 days'
     ${LATEST}
     on conflict (run_id) do update set due_at = now(), ${OF_CHECK} where m.due_at is null`,
  );
}

/** Leases due runs: the longest overdue one of each code host and team, outside of full lanes. */
export function leaseDueMirrors(em: EntityManager, full: FullLanes): Promise<(MirroredRun & Lane)[]> {
  return leaseLanes(
    em,
    {
      table: "scm.mirrored_run",
      key: "run_id",
      set: `lease = lease + 1, leased_at = clock_timestamp(), leased_until = now() + ${LEASE_DURATION}`,
      where: "due_at <= now() and (leased_until is null or leased_until < now())",
      dueAt: "due_at",
      returning: `run_id as "runId", team_id as "teamId", installation_id as "installationId", repo_id as "repoId",
        owner, repo, pull, lease, failures`,
    },
    full,
  );
}

/** Extends the lease of a run, if the caller still holds it. @returns whether it does */
export async function renewMirrorLease(em: EntityManager, { runId, lease }: MirroredRun): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update scm.mirrored_run set leased_until = now() + ${LEASE_DURATION}
     where run_id = ? and lease = ? and leased_until is not null returning run_id`,
    [runId, lease],
  );
  return rows.length > 0;
}

/** Releases a leased run, if the caller still holds it. @param retryInMs null after a success */
export async function releaseMirror(
  em: EntityManager,
  { runId, lease, failures }: MirroredRun,
  retryInMs: number | null,
): Promise<void> {
  await em.execute(
    `update scm.mirrored_run set leased_until = null, failures = ?,
       due_at = case when wake_at > leased_at then now() else now() + make_interval(secs => ?) end
     where run_id = ? and lease = ?`,
    [retryInMs === null ? 0 : failures + 1, retryInMs === null ? null : retryInMs / 1_000, runId, lease],
  );
}

/** A thread with a comment on the pull request. */
export interface StoredThread {
  id: string;
  /** The comment's number. Null until the code host has responded. */
  hostId: string | null;
  /** A digest of what the code host shows. */
  digest: string | null;
  /** Whether the comment was deleted on the pull request. It is not written again. */
  isRemoved: boolean;
  /** Whether the thread was last resolved here and at the code host. */
  isResolved: boolean;
}

export function findThreads(em: EntityManager, runId: string): Promise<StoredThread[]> {
  return em.execute(
    `select thread_id as id, host_id as "hostId", digest, removed_at is not null as "isRemoved",
       is_resolved as "isResolved"
     from scm.mirrored_thread where run_id = ?`,
    [runId],
  );
}

/** Saves that a thread gets a comment. The comment is searched first if its creation's response was lost. */
export async function insertThread(em: EntityManager, runId: string, id: string): Promise<void> {
  await em.execute(
    "insert into scm.mirrored_thread (thread_id, run_id) values (?, ?) on conflict (thread_id) do nothing",
    [id, runId],
  );
}

/** Saves what the code host shows of a thread. */
export async function saveThread(
  em: EntityManager,
  { id, hostId, digest, isRemoved }: StoredThread,
): Promise<void> {
  await em.execute(
    `update scm.mirrored_thread set host_id = coalesce(?, host_id), digest = ?,
       removed_at = case when ? then coalesce(removed_at, now()) else null end
     where thread_id = ?`,
    [hostId, digest, isRemoved, id],
  );
}

/** Saves whether a thread is resolved, both here and at the code host. */
export async function saveResolved(em: EntityManager, id: string, isResolved: boolean): Promise<void> {
  await em.execute("update scm.mirrored_thread set is_resolved = ? where thread_id = ?", [isResolved, id]);
}

/** Makes the threads of a discussion on a pull request due. @returns whether it is of a thread */
export async function requestDiscussion(
  em: EntityManager,
  { repoId, pull, discussionId }: { repoId: string; pull: number; discussionId: string },
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update scm.mirrored_run r set due_at = now(), wake_at = clock_timestamp(), failures = 0
     from scm.mirrored_thread t
     where t.run_id = r.run_id and r.repo_id = ? and r.pull = ? and starts_with(t.host_id, ? || ':')
     returning r.run_id`,
    [repoId, pull, discussionId],
  );
  return rows.length > 0;
}

/** The number of runs whose threads are read when a pull request changed. */
const LATEST_RUNS = 5;

/** Makes the threads of a pull request's latest runs due. */
export async function requestDiscussions(
  em: EntityManager,
  { repoId, pull }: { repoId: string; pull: number },
): Promise<void> {
  await em.execute(
    `update scm.mirrored_run set due_at = now(), wake_at = clock_timestamp() where run_id in (
       select r.run_id from scm.mirrored_run r
       where r.repo_id = ? and r.pull = ? and exists (select from scm.mirrored_thread t where t.run_id = r.run_id)
       order by r.run_id desc limit ${LATEST_RUNS})`,
    [repoId, pull],
  );
}

export async function deleteThread(em: EntityManager, id: string): Promise<void> {
  await em.execute("delete from scm.mirrored_thread where thread_id = ?", [id]);
}

/** What a comment on a pull request names: ids of threads, and numbers of comments. */
export interface References {
  threadIds: string[];
  hostIds: string[];
}

/** A thread that a comment on its pull request may answer. */
export interface ThreadOfPull {
  threadId: string;
  teamId: string | null;
}

/** Finds the thread of a pull request that a comment names. Other pull requests' threads don't count. */
export async function findThreadOfPull(
  em: EntityManager,
  { repoId, pull }: { repoId: string; pull: number },
  { threadIds, hostIds }: References,
): Promise<ThreadOfPull | null> {
  const rows: ThreadOfPull[] = await em.execute(
    `select t.thread_id as "threadId", r.team_id as "teamId"
     from scm.mirrored_thread t join scm.mirrored_run r on r.run_id = t.run_id
     where r.repo_id = ? and r.pull = ?
       and (t.thread_id in (select jsonb_array_elements_text(?::jsonb))
         or t.host_id in (select jsonb_array_elements_text(?::jsonb)))
     order by t.thread_id limit 1`,
    [repoId, pull, JSON.stringify(threadIds), JSON.stringify(hostIds)],
  );
  return rows[0] ?? null;
}

/** A reply of a thread that was not deleted, or whose deletion is not yet written here. */
export interface KnownReply {
  hostId: string;
  id: string;
  /** The time of its last change that is written here. Null before its first one. */
  writtenAt: Date | null;
}

/** Returns the replies of a thread from the pull request. */
export async function findReplies(em: EntityManager, threadId: string): Promise<KnownReply[]> {
  const rows: KnownReply[] = await em.execute(
    `select host_id as "hostId", id, written_at as "writtenAt" from scm.mirrored_reply
     where thread_id = ? and (deleted_at is null or written_at is null)`,
    [threadId],
  );
  return rows.map(row => ({ ...row, writtenAt: row.writtenAt && new Date(row.writtenAt) }));
}

/** A reply on the pull request, with its comment here. */
export interface StoredReply extends ThreadOfPull {
  id: string;
}

type ReplyName = { repoId: string; hostId: string };

/** Finds the reply that a comment on a pull request is; also a deleted one. */
export async function findReply(
  em: EntityManager,
  { repoId, hostId }: ReplyName,
): Promise<(StoredReply & { isWritten: boolean }) | null> {
  const rows: (StoredReply & { isWritten: boolean })[] = await em.execute(
    `select p.id, p.thread_id as "threadId", r.team_id as "teamId", p.written_at is not null as "isWritten"
     from scm.mirrored_reply p join scm.mirrored_thread t on t.thread_id = p.thread_id
       join scm.mirrored_run r on r.run_id = t.run_id
     where p.repo_id = ? and p.host_id = ?`,
    [repoId, hostId],
  );
  return rows[0] ?? null;
}

/**
 * Saves a reply, or its change, before it is written here. Events arrive in any order.
 * @returns the id of its comment here, or null if a later state is known. A deleted reply never returns
 */
export async function putReply(
  em: EntityManager,
  { repoId, hostId, id, threadId }: ReplyName & Omit<StoredReply, "teamId">,
  { updatedAt, isDeleted }: { updatedAt: string; isDeleted: boolean },
): Promise<string | null> {
  const rows: { id: string }[] = await em.execute(
    `insert into scm.mirrored_reply as p (repo_id, host_id, id, thread_id, host_updated_at, deleted_at)
     values (?, ?, ?, ?, ?, case when ? then now() end)
     on conflict (repo_id, host_id) do update set host_updated_at = excluded.host_updated_at,
       deleted_at = excluded.deleted_at, written_at = case when excluded.deleted_at is null then p.written_at end
       where p.deleted_at is null
           and (excluded.host_updated_at >= p.host_updated_at or excluded.deleted_at is not null)
         or excluded.deleted_at is not null and p.written_at is null
     returning p.id`,
    [repoId, hostId, id, threadId, updatedAt, isDeleted],
  );
  return rows[0]?.id ?? null;
}

/** Saves that the state of a reply is written here. A state that was not is written when the reply is read again. */
export async function markReplyWritten(
  em: EntityManager,
  { repoId, hostId }: ReplyName,
  { updatedAt, isDeleted }: { updatedAt: string; isDeleted: boolean },
): Promise<void> {
  await em.execute(
    `update scm.mirrored_reply set written_at = ?
     where repo_id = ? and host_id = ? and host_updated_at = ? and (deleted_at is not null) = ?`,
    [updatedAt, repoId, hostId, updatedAt, isDeleted],
  );
}

/** Deletes rows that are older than any plan keeps runs. */
export async function deleteOldMirrors(em: EntityManager): Promise<void> {
  await em.execute("delete from scm.mirrored_run where created_at < now() - interval '100 days'");
}
