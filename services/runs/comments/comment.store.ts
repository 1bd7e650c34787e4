import type { EntityManager } from "../../../mixins/database.ts";
import type { CommentView } from "../../../shared/contracts/reviews/comments.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";

/** A stored comment. */
export interface StoredComment {
  id: string;
  runId: string;
  /** The first comment of its thread. Null for that one itself. */
  threadId: string | null;
  screenshotId: string | null;
  region: CommentView["region"];
  text: string;
  by: Actor;
  countsAs: string;
  /** The members that it mentions. */
  mentions: { id: string; login: string }[];
  createdAt: Date;
  editedAt: Date | null;
  /** The page of a reply that was written on the pull request. */
  externalUrl: string | null;
  resolvedBy: string | null;
  resolvedAt: Date | null;
}

const COLUMNS = `id, run_id as "runId", thread_id as "threadId", screenshot_id as "screenshotId", region, text,
  json_build_object('kind', author_kind, 'id', author_id, 'name', author_name) as by, counts_as as "countsAs", mentions,
  created_at as "createdAt", edited_at as "editedAt", external_url as "externalUrl", resolved_by as "resolvedBy", resolved_at as "resolvedAt"`;

/** Lists the comments of a run, oldest first. Returns one more than the limit if there are more. */
export function findComments(
  em: EntityManager,
  runId: string,
  { limit, after = "" }: { limit: number; after?: string | undefined },
): Promise<StoredComment[]> {
  return em.execute(`select ${COLUMNS} from runs.comment where run_id = ? and id > ? order by id limit ?`, [
    runId,
    after,
    limit + 1,
  ]);
}

/** Finds a comment of a team; null if there is none. */
export async function findComment(
  em: EntityManager,
  teamId: string,
  id: string,
): Promise<StoredComment | null> {
  const rows: StoredComment[] = await em.execute(
    `select ${COLUMNS} from runs.comment where team_id = ? and id = ?`,
    [teamId, id],
  );
  return rows[0] ?? null;
}

export async function countComments(em: EntityManager, runId: string): Promise<number> {
  const rows: { size: number }[] = await em.execute(
    "select count(*)::int as size from runs.comment where run_id = ?",
    [runId],
  );
  return rows[0]?.size ?? 0;
}

/** Finds the users who wrote in a thread, except one. */
export async function findParticipants(
  em: EntityManager,
  threadId: string,
  except: string,
): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select distinct counts_as as id from runs.comment
     where (id = ? or thread_id = ?) and counts_as like 'user\\_%' and counts_as <> ? order by 1 limit 50`,
    [threadId, threadId, except],
  );
  return rows.map(({ id }) => id);
}

/** Adds a comment, once for its id. @returns whether this call inserted it */
export async function insertComment(
  em: EntityManager,
  teamId: string,
  comment: Pick<
    StoredComment,
    "id" | "runId" | "threadId" | "screenshotId" | "region" | "text" | "by" | "countsAs" | "mentions"
  > & { externalUrl?: string },
): Promise<boolean> {
  const { id, runId, threadId, screenshotId, region, text, by, countsAs, mentions, externalUrl } = comment;
  const rows: object[] = await em.execute(
    `insert into runs.comment (id, team_id, run_id, thread_id, screenshot_id, region, text, author_kind, author_id,
       author_name, counts_as, mentions, external_url)
     values (?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?::jsonb, ?) on conflict (id) do nothing returning id`,
    [
      ...[id, teamId, runId, threadId, screenshotId, region && JSON.stringify(region), text],
      ...[by.kind, by.id, by.name, countsAs, JSON.stringify(mentions), externalUrl ?? null],
    ],
  );
  return rows.length === 1;
}

export async function setText(
  em: EntityManager,
  id: string,
  { text, mentions }: Pick<StoredComment, "text" | "mentions">,
): Promise<void> {
  await em.execute(
    "update runs.comment set text = ?, mentions = ?::jsonb, edited_at = now() where id = ? and text <> ?",
    [text, JSON.stringify(mentions), id, text],
  );
}

/** Resolves a thread. Keeps who resolved it first. @param by null to reopen it */
export async function setResolved(em: EntityManager, threadId: string, by: string | null): Promise<void> {
  await em.execute(
    `update runs.comment set resolved_by = ?, resolved_at = case when ?::text is null then null else now() end
     where id = ? and (resolved_by is null) <> (?::text is null)`,
    [by, by, threadId, by],
  );
}

export async function removeComment(em: EntityManager, id: string): Promise<void> {
  await em.execute("delete from runs.comment where id = ?", [id]);
}

/** Whether a run has a screenshot. */
export async function hasScreenshot(em: EntityManager, runId: string, id: string): Promise<boolean> {
  const rows: object[] = await em.execute("select 1 from runs.screenshot where run_id = ? and id = ?", [
    runId,
    id,
  ]);
  return rows.length > 0;
}
