import type { EntityManager } from "../../../mixins/database.ts";
import type { MergedInto } from "../../../shared/contracts/code-host/scm-actions.ts";
import type { PullHead, RepositoryName } from "../code-host/code-host.ts";

/** Queries about pull requests. `em` is one unit of work. */

/** The writer of a comment renews its lease. A node that stops keeps it for this long at most. */
const COMMENT_LEASE_DURATION = "interval '60 seconds'";

/**
 * Saves a pull request's commit and state, unless later ones are known. Events arrive in any order.
 * @param updatedAt null for an unknown time, which counts as now
 * @returns whether this is still the latest known state
 */
export async function putPull(
  em: EntityManager,
  { repoId, owner, repo }: { repoId: string } & RepositoryName,
  { sha, updatedAt, ...head }: PullHead & { updatedAt: string | null },
  isOpen: boolean,
): Promise<boolean> {
  const written: object[] = await em.execute(
    `insert into scm.pull_request as p (repo_id, owner, repo, number, head_sha, head, is_open, updated_at)
     values (?, ?, ?, ?, ?, ?::jsonb, ?, coalesce(?::timestamptz, now()))
     on conflict (repo_id, number) do update set owner = excluded.owner, repo = excluded.repo,
       head_sha = excluded.head_sha, head = excluded.head, is_open = excluded.is_open, updated_at = excluded.updated_at
       where p.updated_at is null or excluded.updated_at >= p.updated_at
     returning number`,
    [repoId, owner, repo, head.number, sha, JSON.stringify(head), isOpen, updatedAt],
  );
  if (written.length > 0) return true;
  const same: object[] = await em.execute(
    `select from scm.pull_request
     where repo_id = ? and number = ? and head_sha = ? and head ->> 'base' = ? and is_open = ?`,
    [repoId, head.number, sha, head.base, isOpen],
  );
  return same.length > 0;
}

/** Saves that a pull request was merged, and into which branch. */
export async function markMerged(
  em: EntityManager,
  repoId: string,
  number: number,
  into: MergedInto,
): Promise<void> {
  await em.execute(
    `update scm.pull_request set merged_at = now(), merged_into = ?::jsonb
     where repo_id = ? and number = ? and merged_at is null`,
    [JSON.stringify(into), repoId, number],
  );
}

/** A merged pull request whose approvals are not carried yet. */
export interface MergedPull extends RepositoryName {
  repoId: string;
  number: number;
  sha: string;
  head: Pick<PullHead, "branch" | "fromFork">;
  into: MergedInto;
}

/** Returns the earliest merge of each repository. Those that failed come after the others. */
export function findMerged(em: EntityManager, limit: number): Promise<MergedPull[]> {
  return em.execute(
    `select first."repoId", first.number, first.owner, first.repo, first.sha, first.head, first."into" from (
       select distinct on (repo_id) repo_id as "repoId", number, owner, repo, head_sha as sha, head,
         merged_into as "into", coalesce(carry_tried_at, merged_at) as since
       from scm.pull_request where merged_at is not null and carried_at is null
       order by repo_id, merged_at, number) first
     order by first.since limit ?`,
    [limit],
  );
}

/** Saves a failed attempt to carry approvals, so that others come first. */
export async function markNotCarried(em: EntityManager, repoId: string, number: number): Promise<void> {
  await em.execute("update scm.pull_request set carry_tried_at = now() where repo_id = ? and number = ?", [
    repoId,
    number,
  ]);
}

export async function markCarried(em: EntityManager, repoId: string, number: number): Promise<void> {
  await em.execute("update scm.pull_request set carried_at = now() where repo_id = ? and number = ?", [
    repoId,
    number,
  ]);
}

/** Returns the head commit and the base of a pull request, by the events so far. */
export async function findPull(
  em: EntityManager,
  repoId: string,
  number: number,
): Promise<{ sha: string; base: string } | null> {
  const rows: { sha: string; base: string }[] = await em.execute(
    "select head_sha as sha, head ->> 'base' as base from scm.pull_request where repo_id = ? and number = ?",
    [repoId, number],
  );
  return rows[0] ?? null;
}

/** Returns the open pull request at this commit, by the events so far. */
export async function findOpenPull(
  em: EntityManager,
  repoId: string,
  sha: string,
): Promise<Omit<PullHead, "sha"> | null> {
  const rows: { head: Omit<PullHead, "sha"> }[] = await em.execute(
    `select head from scm.pull_request where repo_id = ? and head_sha = ? and is_open order by number limit 1`,
    [repoId, sha],
  );
  return rows[0]?.head ?? null;
}

/** A comment of a pull request under the caller's lease. */
export interface CommentLease {
  repoId: string;
  number: number;
  /** The name of the build that the comment is about. Empty for the preview. */
  name: string;
  /** Increases with each lease, so that an earlier holder cannot write anymore. */
  lease: number;
  /** The comment's number at the code host; null before it exists. */
  commentId: string | null;
}

/** Leases the comments of a pull request at a commit. Returns null while another node writes one. */
export async function leaseComment(
  em: EntityManager,
  { repoId, number, sha, name }: Pick<CommentLease, "repoId" | "number" | "name"> & { sha: string },
): Promise<CommentLease | "outdated" | null> {
  const rows: Omit<CommentLease, "name">[] = await em.execute(
    `update scm.pull_request set comment_leased_until = now() + ${COMMENT_LEASE_DURATION}, comment_lease = comment_lease + 1
     where repo_id = ? and number = ? and head_sha = ? and (comment_leased_until is null or comment_leased_until < now())
     returning repo_id as "repoId", number, comment_lease as lease,
       case when ? = '' then comment_id else build_comment_ids ->> ? end as "commentId"`,
    [repoId, number, sha, name, name],
  );
  if (rows[0]) return { ...rows[0], name };
  const here: object[] = await em.execute(
    "select from scm.pull_request where repo_id = ? and number = ? and head_sha = ?",
    [repoId, number, sha],
  );
  return here.length > 0 ? null : "outdated";
}

/** Extends the lease of a comment, if the caller still holds it. */
export async function renewCommentLease(
  em: EntityManager,
  { repoId, number, lease }: CommentLease,
): Promise<void> {
  await em.execute(
    `update scm.pull_request set comment_leased_until = now() + ${COMMENT_LEASE_DURATION}
     where repo_id = ? and number = ? and comment_lease = ? and comment_leased_until is not null`,
    [repoId, number, lease],
  );
}

/** Releases a comment and saves its number, if the caller still holds it. */
export async function releaseCommentLease(
  em: EntityManager,
  { repoId, number, name, lease, commentId }: CommentLease,
): Promise<void> {
  const [set, values] =
    name === ""
      ? ["comment_id = ?", [commentId]]
      : ["build_comment_ids = build_comment_ids || jsonb_build_object(?::text, ?::text)", [name, commentId]];
  await em.execute(
    `update scm.pull_request set comment_leased_until = null, ${set}
     where repo_id = ? and number = ? and comment_lease = ?`,
    [...values, repoId, number, lease],
  );
}
