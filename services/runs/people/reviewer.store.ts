import type { EntityManager } from "../../../mixins/database.ts";
import type { AssignedReviewer } from "../../../shared/contracts/reviews/reviewers.ts";
import type { StoredReviewerRule } from "./match-routes.rule.ts";

type Row = Omit<AssignedReviewer, "assignedAt"> & { runId: string; assignedAt: Date | string };

/** Finds the reviewers of these runs, the earliest assigned first. */
export async function findReviewers(
  em: EntityManager,
  runIds: string[],
): Promise<Map<string, AssignedReviewer[]>> {
  const rows: Row[] = await em.execute(
    `select run_id as "runId", user_id as id, login, assigned_by as "assignedBy", assigned_at as "assignedAt"
     from runs.assigned_reviewer where run_id in (select jsonb_array_elements_text(?::jsonb))
     order by assigned_at, user_id`,
    [JSON.stringify(runIds)],
  );
  const views = rows.map(({ runId, assignedAt, ...row }) => ({
    runId,
    view: { ...row, assignedAt: new Date(assignedAt).toISOString() },
  }));
  return new Map(
    [...Map.groupBy(views, ({ runId }) => runId)].map(([runId, all]) => [runId, all.map(({ view }) => view)]),
  );
}

/** Assigns reviewers who aren't assigned yet. @param assignedBy null for a rule @returns the ids of the new ones */
export async function insertReviewers(
  tx: EntityManager,
  runId: string,
  reviewers: readonly { id: string; login: string }[],
  assignedBy: string | null,
): Promise<string[]> {
  const rows: { id: string }[] = await tx.execute(
    `insert into runs.assigned_reviewer (run_id, user_id, login, assigned_by)
     select ?, v.id, v.login, ? from jsonb_to_recordset(?::jsonb) as v (id text, login text)
     on conflict do nothing returning user_id as id`,
    [runId, assignedBy, JSON.stringify(reviewers)],
  );
  return rows.map(({ id }) => id);
}

/** Removes all reviewers of a run except these. */
export async function keepReviewers(tx: EntityManager, runId: string, userIds: string[]): Promise<void> {
  await tx.execute(
    `delete from runs.assigned_reviewer where run_id = ?
       and user_id not in (select jsonb_array_elements_text(?::jsonb))`,
    [runId, JSON.stringify(userIds)],
  );
}

/** Finds the rules of a project. Empty without any. */
export async function findRules(
  em: EntityManager,
  teamId: string,
  project: string,
): Promise<StoredReviewerRule[]> {
  const rows: { rules: StoredReviewerRule[] }[] = await em.execute(
    "select rules from runs.reviewer_rules where team_id = ? and project = ?",
    [teamId, project],
  );
  return rows[0]?.rules ?? [];
}

export async function putRules(
  em: EntityManager,
  { teamId, project }: { teamId: string; project: string },
  rules: StoredReviewerRule[],
): Promise<void> {
  await em.execute(
    `insert into runs.reviewer_rules (team_id, project, rules) values (?, ?, ?::jsonb)
     on conflict (team_id, project) do update set rules = excluded.rules`,
    [teamId, project, JSON.stringify(rules)],
  );
}

/** Finds the rules of all projects that have some. */
export function findAllRules(
  em: EntityManager,
): Promise<{ teamId: string; project: string; rules: StoredReviewerRule[] }[]> {
  return em.execute(
    `select team_id as "teamId", project, rules from runs.reviewer_rules where rules <> '[]'`,
  );
}

/** Replaces the rules of a project, unless they were changed meanwhile. */
export async function replaceRules(
  em: EntityManager,
  { teamId, project }: { teamId: string; project: string },
  before: StoredReviewerRule[],
  after: StoredReviewerRule[],
): Promise<void> {
  await em.execute(
    "update runs.reviewer_rules set rules = ?::jsonb where team_id = ? and project = ? and rules = ?::jsonb",
    [JSON.stringify(after), teamId, project, JSON.stringify(before)],
  );
}

/** Finds the routes of a run's screenshots that need review. */
export async function findOpenRoutes(em: EntityManager, runId: string): Promise<string[]> {
  const rows: { route: string }[] = await em.execute(
    `select distinct route from runs.screenshot where run_id = ? and status in ('changed', 'new', 'removed')
       and (review is null or review = 'pending')`,
    [runId],
  );
  return rows.map(({ route }) => route);
}
