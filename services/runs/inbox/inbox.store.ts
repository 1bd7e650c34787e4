import type { EntityManager } from "../../../mixins/database.ts";
import type { Region } from "../../../shared/compare/comparison.ts";
import { INBOX_COUNT_LIMIT, type InboxFilter } from "../../../shared/contracts/reviews/inbox.ts";
import type { SCREENSHOT_STATUSES } from "../../../shared/contracts/runs/screenshots.ts";
import { MONITOR_PROJECTS } from "../../../shared/monitor-project.ts";
import { IS_OPEN, needsReview, replaces } from "../queries/needs-review.store.ts";

const SHOWN_SCREENSHOTS = 3;
const SHOWN_MENTIONS = 5;
const SHOWN_SUPERSEDED = 20;

const NEEDS_REVIEW = needsReview("r");

/** Takes the person twice. */
const IS_ASSIGNED = `exists (select from runs.assigned_reviewer a where a.run_id = r.id and a.user_id = ?)
  and exists (select from runs.screenshot s where s.run_id = r.id and ${IS_OPEN}
    and not exists (select from runs.review v where v.screenshot_id = s.id and v.counts_as = ?
      and v.verdict = 'approved'))`;

/** A comment of an open thread that mentions a person who hasn't answered since. Takes the mention and the person. */
const WAITING_MENTION = `c.mentions @> ?::jsonb
  and not exists (select from runs.comment t where t.id = coalesce(c.thread_id, c.id) and t.resolved_at is not null)
  and not exists (select from runs.comment answer where answer.run_id = c.run_id and answer.counts_as = ?
    and answer.id > c.id and coalesce(answer.thread_id, answer.id) = coalesce(c.thread_id, c.id))`;

const HAS_MENTION = `exists (select from runs.comment c where c.run_id = r.id and ${WAITING_MENTION})`;

/** Whose inbox of which team. */
export interface InboxOwner {
  teamId: string;
  /** Id of the person. */
  me: string;
}

const mentionOf = (me: string) => JSON.stringify([{ id: me }]);

/** Returns the condition of a filter and its parameters. */
function conditionOf(filter: InboxFilter, me: string): { sql: string; values: string[] } {
  const mention = { sql: HAS_MENTION, values: [mentionOf(me), me] };
  if (filter === "mentions") return mention;
  if (filter === "all") return { sql: NEEDS_REVIEW, values: [] };
  return {
    sql: `(${NEEDS_REVIEW} and ${IS_ASSIGNED} or ${HAS_MENTION})`,
    values: [me, me, ...mention.values],
  };
}

const OF_TEAM = `r.team_id = ? and r.kind = 'run' and r.project not like '${MONITOR_PROJECTS}%'`;

/** Finds the ids of an inbox's runs, newest first, and one more than the limit if there are more. */
export async function findInboxRuns(
  em: EntityManager,
  { teamId, me }: InboxOwner,
  {
    filter,
    project,
    limit,
    before,
  }: { filter: InboxFilter; project?: string; limit: number; before?: string },
): Promise<string[]> {
  const { sql, values } = conditionOf(filter, me);
  const rows: { id: string }[] = await em.execute(
    `select r.id from runs.run r where ${OF_TEAM}
       and (?::text is null or r.project = ?) and (?::text is null or r.id < ?) and ${sql}
     order by r.id desc limit ?`,
    [teamId, project ?? null, project ?? null, before ?? null, before ?? null, ...values, limit + 1],
  );
  return rows.map(({ id }) => id);
}

/** Counts an inbox's runs, up to a limit. */
export async function countInboxRuns(
  em: EntityManager,
  { teamId, me }: InboxOwner,
  filter: InboxFilter,
): Promise<number> {
  const { sql, values } = conditionOf(filter, me);
  const rows: { size: number }[] = await em.execute(
    `select count(*)::int as size from (
       select from runs.run r where ${OF_TEAM} and ${sql} limit ${INBOX_COUNT_LIMIT}) counted`,
    [teamId, ...values],
  );
  return rows[0]?.size ?? 0;
}

/** Finds which of these runs a person is assigned to and hasn't decided. */
export async function findAssigned(em: EntityManager, me: string, runIds: string[]): Promise<Set<string>> {
  const rows: { id: string }[] = await em.execute(
    `select r.id from runs.run r where r.id in (select jsonb_array_elements_text(?::jsonb)) and ${IS_ASSIGNED}`,
    [JSON.stringify(runIds), me, me],
  );
  return new Set(rows.map(({ id }) => id));
}

/** A screenshot that needs review. */
export interface OpenScreenshot {
  runId: string;
  id: string;
  route: string;
  /** Empty for the page's own screenshot. */
  state: string;
  /** Empty for the default environment. */
  environment: string;
  viewport: number;
  status: (typeof SCREENSHOT_STATUSES)[number];
  diffRatio: number | null;
  width: number | null;
  height: number | null;
  baselineWidth: number | null;
  baselineHeight: number | null;
  hash: string | null;
  baselineHash: string | null;
  maskHash: string | null;
  regions: Region[];
  /** Number of open screenshots of the run. */
  open: number;
}

/** Finds the open screenshots with the largest changes of these runs. */
export function findOpenScreenshots(em: EntityManager, runIds: string[]): Promise<OpenScreenshot[]> {
  return em.execute(
    `select v.id as "runId", s.* from jsonb_array_elements_text(?::jsonb) as v (id) cross join lateral (
       select s.id, s.route, s.state, s.environment, s.viewport, s.status, s.diff_ratio as "diffRatio", s.width,
         s.height, s.baseline_width as "baselineWidth", s.baseline_height as "baselineHeight", s.hash,
         s.baseline_hash as "baselineHash", s.mask_hash as "maskHash", s.regions,
         (count(*) over ())::int as open
       from runs.screenshot s where s.run_id = v.id and ${IS_OPEN}
       order by s.diff_ratio desc nulls last, s.id limit ${SHOWN_SCREENSHOTS}) s`,
    [JSON.stringify(runIds)],
  );
}

/** A comment that mentions a person. */
export interface WaitingMention {
  runId: string;
  commentId: string;
  screenshotId: string | null;
  by: string;
  text: string;
  at: Date | string;
}

/** Finds the open comments of these runs that mention a person, oldest first. */
export function findWaitingMentions(
  em: EntityManager,
  me: string,
  runIds: string[],
): Promise<WaitingMention[]> {
  return em.execute(
    `select v.id as "runId", c.* from jsonb_array_elements_text(?::jsonb) as v (id) cross join lateral (
       select c.id as "commentId", c.screenshot_id as "screenshotId", c.author_name as by, c.text, c.created_at as at
       from runs.comment c where c.run_id = v.id and ${WAITING_MENTION} order by c.id limit ${SHOWN_MENTIONS}) c`,
    [JSON.stringify(runIds), mentionOf(me), me],
  );
}

/** Finds the earlier runs that each of these runs replaces, and that also needed review. Newest first. */
export async function findSuperseded(em: EntityManager, runIds: string[]): Promise<Map<string, string[]>> {
  const rows: { runId: string; id: string }[] = await em.execute(
    `select r.id as "runId", o.id from runs.run r cross join lateral (
       select o.id from runs.run o where o.project_id = r.project_id and o.scope = r.scope and o.kind = 'run'
         and o.id < r.id and o.status = 'completed' and o.conclusion in ('changed', 'new', 'rejected')
         and ${replaces("r", "o")}
       order by o.id desc limit ${SHOWN_SUPERSEDED}) o
     where r.id in (select jsonb_array_elements_text(?::jsonb))`,
    [JSON.stringify(runIds)],
  );
  return new Map(
    [...Map.groupBy(rows, ({ runId }) => runId)].map(([runId, all]) => [runId, all.map(({ id }) => id)]),
  );
}

/** Returns whether a run still needs review: it has open screenshots, and no newer run replaces it. */
export async function needsReviewStill(em: EntityManager, runId: string): Promise<boolean> {
  const rows: object[] = await em.execute(`select from runs.run r where r.id = ? and ${NEEDS_REVIEW}`, [
    runId,
  ]);
  return rows.length > 0;
}
