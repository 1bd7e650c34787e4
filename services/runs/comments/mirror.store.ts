import type { EntityManager } from "../../../mixins/database.ts";
import type { MirrorSetting } from "../../../shared/contracts/reviews/mirror.ts";

/** Queries for threads that also appear on a pull request. `em` is one unit of work. */

/** Returns where a project's threads appear on pull requests. */
export async function findMirrorSetting(em: EntityManager, projectId: string): Promise<MirrorSetting> {
  const rows: { setting: MirrorSetting }[] = await em.execute(
    "select mirror_threads as setting from runs.project where id = ?",
    [projectId],
  );
  return rows[0]?.setting ?? "never";
}

/** The first comment of a thread, with its page. */
export interface FirstComment {
  id: string;
  by: string;
  text: string;
  screenshotId: string | null;
  isOnRegion: boolean;
  resolvedBy: string | null;
  route: string | null;
  state: string | null;
  environment: string | null;
  viewport: number | null;
}

/** Finds the first comments of a run's threads, oldest first. Returns one more than the limit if there are more. */
export function findFirstComments(
  em: EntityManager,
  runId: string,
  { after, limit, chars }: { after: string; limit: number; chars: number },
): Promise<FirstComment[]> {
  return em.execute(
    `select c.id, c.author_name as by, left(c.text, ?) as text, c.screenshot_id as "screenshotId",
       c.region is not null as "isOnRegion", c.resolved_by as "resolvedBy",
       s.route, s.state, s.environment, s.viewport
     from runs.comment c left join runs.screenshot s on s.id = c.screenshot_id
     where c.run_id = ? and c.thread_id is null and c.id > ? order by c.id limit ?`,
    [chars, runId, after, limit + 1],
  );
}

/** A reply that was written here. */
export interface WrittenReply {
  threadId: string;
  by: string;
  text: string;
  /** The number of replies of its thread that were written here. */
  all: number;
}

/** Finds the latest replies of each thread, oldest first, without those from the pull request. */
export function findLatestReplies(
  em: EntityManager,
  threadIds: string[],
  { perThread, chars }: { perThread: number; chars: number },
): Promise<WrittenReply[]> {
  return em.execute(
    `select "threadId", by, text, "all" from (
       select thread_id as "threadId", author_name as by, left(text, ?) as text, id,
         row_number() over (partition by thread_id order by id desc) as place,
         (count(*) over (partition by thread_id))::int as "all"
       from runs.comment
       where thread_id in (select jsonb_array_elements_text(?::jsonb)) and external_url is null) numbered
     where place <= ? order by id`,
    [chars, JSON.stringify(threadIds), perThread],
  );
}

/** Returns the number of a run's comments that came from the pull request. */
export async function countExternalComments(em: EntityManager, runId: string): Promise<number> {
  const rows: { size: number }[] = await em.execute(
    "select count(*)::int as size from runs.comment where run_id = ? and external_url is not null",
    [runId],
  );
  return rows[0]?.size ?? 0;
}
