import type { EntityManager } from "../../../mixins/database.ts";
import type { MergedInto } from "../../../shared/contracts/code-host/scm-actions.ts";
import type { RepositoryName } from "../code-host/repository-access.ts";
import type { PullHead } from "../code-host/repository-host.ts";

/** What is known of pull requests; `em` is one unit of work. */

/** Who writes a comment renews that; one that went away has it no longer than this. */
const COMMENTING_FOR = "interval '60 seconds'";

/**
 * Notes which commit a pull request is at, and whether it is open, unless something later is known: events come in any order.
 * @param updatedAt null where whoever tells does not say: then it is news
 * @returns whether it is so still, by all that is known
 */
export async function putPull(
  em: EntityManager,
  { repoId, owner, repo }: { repoId: string } & RepositoryName,
  { sha, updatedAt, ...head }: PullHead & { updatedAt: string | null },
  isOpen: boolean,
): Promise<boolean> {
  const news: object[] = await em.execute(
    `insert into scm.pull_request as p (repo_id, owner, repo, number, head_sha, head, is_open, updated_at)
     values (?, ?, ?, ?, ?, ?::jsonb, ?, coalesce(?::timestamptz, now()))
     on conflict (repo_id, number) do update set owner = excluded.owner, repo = excluded.repo,
       head_sha = excluded.head_sha, head = excluded.head, is_open = excluded.is_open, updated_at = excluded.updated_at
       where p.updated_at is null or excluded.updated_at >= p.updated_at
     returning number`,
    [repoId, owner, repo, head.number, sha, JSON.stringify(head), isOpen, updatedAt],
  );
  if (news.length > 0) return true;
  const same: object[] = await em.execute(
    `select from scm.pull_request
     where repo_id = ? and number = ? and head_sha = ? and head ->> 'base' = ? and is_open = ?`,
    [repoId, head.number, sha, head.base, isOpen],
  );
  return same.length > 0;
}

/** Notes that a pull request was merged, and where to. */
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

/** A merged pull request whose approvals are still to be carried to its branch. */
export interface MergedPull extends RepositoryName {
  repoId: string;
  number: number;
  sha: string;
  head: Pick<PullHead, "branch" | "fromFork">;
  into: MergedInto;
}

/** The one that was merged first of each repository, those that wait longest first. */
export function findMerged(em: EntityManager, limit: number): Promise<MergedPull[]> {
  return em.execute(
    `select first."repoId", first.number, first.owner, first.repo, first.sha, first.head, first."into" from (
       select distinct on (repo_id) repo_id as "repoId", number, owner, repo, head_sha as sha, head,
         merged_into as "into", merged_at
       from scm.pull_request where merged_at is not null and carried_at is null
       order by repo_id, merged_at, number) first
     order by first.merged_at limit ?`,
    [limit],
  );
}

export async function markCarried(em: EntityManager, repoId: string, number: number): Promise<void> {
  await em.execute("update scm.pull_request set carried_at = now() where repo_id = ? and number = ?", [
    repoId,
    number,
  ]);
}

/** The open pull request at this commit, as far as its events have come in. */
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

/** A pull request whose comment is the caller's to write. */
export interface CommentTurn {
  repoId: string;
  number: number;
  /** Counts up each time that somebody takes it, so that who took it before changes nothing any more. */
  turn: number;
  /** The code host's number of the comment; null where there is none yet. */
  commentId: string | null;
}

/** Takes the writing of a pull request's comment, for the commit that it is at. Null when it is at another, or somebody else writes. */
export async function takeComment(
  em: EntityManager,
  { repoId, number, sha }: { repoId: string; number: number; sha: string },
): Promise<CommentTurn | "outdated" | null> {
  const rows: CommentTurn[] = await em.execute(
    `update scm.pull_request set comment_until = now() + ${COMMENTING_FOR}, comment_turn = comment_turn + 1
     where repo_id = ? and number = ? and head_sha = ? and (comment_until is null or comment_until < now())
     returning repo_id as "repoId", number, comment_turn as turn, comment_id as "commentId"`,
    [repoId, number, sha],
  );
  if (rows[0]) return rows[0];
  const here: object[] = await em.execute(
    "select from scm.pull_request where repo_id = ? and number = ? and head_sha = ?",
    [repoId, number, sha],
  );
  return here.length > 0 ? null : "outdated";
}

/** Keeps the writing of a comment for who has it, if that is so still. */
export async function renewComment(em: EntityManager, { repoId, number, turn }: CommentTurn): Promise<void> {
  await em.execute(
    `update scm.pull_request set comment_until = now() + ${COMMENTING_FOR}
     where repo_id = ? and number = ? and comment_turn = ? and comment_until is not null`,
    [repoId, number, turn],
  );
}

/** Lets the writing of a comment go, and notes its number, if it is the caller's still. */
export async function releaseComment(
  em: EntityManager,
  { repoId, number, turn, commentId }: CommentTurn,
): Promise<void> {
  await em.execute(
    `update scm.pull_request set comment_until = null, comment_id = ?
     where repo_id = ? and number = ? and comment_turn = ?`,
    [commentId, repoId, number, turn],
  );
}
