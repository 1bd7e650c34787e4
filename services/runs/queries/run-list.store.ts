import { raw } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import type { ListRunsQuery } from "../../../shared/contracts/runs/runs.ts";
import { MONITOR_PROJECTS } from "../../../shared/monitor-project.ts";
import { type Run, RunEntity } from "../run.entity.ts";
import { findProject } from "../run.store.ts";
import { needsReview } from "./needs-review.store.ts";

/** The text must equal the condition of the index. A parameter wouldn't match it. */
const withoutMonitors = () => ({ [raw(`project not like '${MONITOR_PROJECTS}%'`)]: [] });

/** Lists a team's runs, newest first. Returns one run more than the limit if there are more. */
export async function listRuns(
  em: EntityManager,
  teamId: string,
  query: ListRunsQuery,
  before?: string,
): Promise<Run[]> {
  const { limit, cursor: _cursor, monitors, needsReview: isForReview, project: name, ...filters } = query;
  const project = name === undefined ? undefined : await findProject(em, teamId, name);
  if (project === null) return [];
  const where = {
    teamId,
    kind: "run" as const,
    ...(project && { projectId: project.id }),
    ...(isForReview === "1" && { [raw(needsReview)]: [] }),
    ...filters,
    ...(before !== undefined && { id: { $lt: before } }),
    ...(monitors === "0" && withoutMonitors()),
  };
  return em.find(RunEntity, where, { orderBy: { id: "desc" }, limit: limit + 1 });
}

/**
 * Splits these runs into those that were rendered, or that ended without cancellation, and those that may still be
 * rendered.
 */
export async function findRendered(
  em: EntityManager,
  ids: string[],
): Promise<{ rendered: string[]; waiting: string[] }> {
  const rows: { id: string; rendered: boolean }[] = await em.execute(
    `select id, started_at is not null or completed_at is not null as rendered from runs.run
     where id in (?) and not (status = 'canceled' and started_at is null)
     union all select screenshot_id, true from runs.proof where screenshot_id in (?)`,
    [ids, ids],
  );
  const idsWhere = (rendered: boolean) => rows.filter(row => row.rendered === rendered).map(row => row.id);
  return { rendered: idsWhere(true), waiting: idsWhere(false) };
}
