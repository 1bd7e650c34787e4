import type { EntityManager } from "../../../mixins/database.ts";
import { monitorOfProject } from "../../../shared/monitor-project.ts";
import { isSamePageFrom } from "../page-columns.ts";
import type { Run } from "../run.entity.ts";
import { markFlaky } from "../screenshot.store.ts";
import {
  type ChangedPixels,
  findInProduction,
  type ProductionMark,
  type SeenLook,
} from "./production.rule.ts";

/** Marks changed screenshots of a run that ends: those of flaky pages, and those whose change production already has. */
export async function markChanged(em: EntityManager, run: Run): Promise<void> {
  await markFlaky(em, run);
  if (run.kind === "run" && monitorOfProject(run.project) === null) await markInProduction(em, run);
}

interface Candidate extends ChangedPixels {
  screenshotId: string;
  /** Name of the monitor's project. */
  project: string;
  /** The region whose looks these are. Null for a monitor without regions. */
  region: string | null;
  looks: (Omit<SeenLook, "cameAt" | "seenAt"> & { cameAt: string; seenAt: string })[];
}

async function markInProduction(em: EntityManager, run: Run): Promise<void> {
  const candidates = await findCandidates(em, run);
  const marks = new Map<string, ProductionMark>();
  for (const { screenshotId, project, region, looks, ...changed } of candidates) {
    const monitorId = monitorOfProject(project)?.id;
    const seen = looks.map(look => ({
      ...look,
      cameAt: new Date(look.cameAt),
      seenAt: new Date(look.seenAt),
    }));
    const found = findInProduction(changed, seen, run.createdAt);
    if (!found || monitorId === undefined) continue;
    const { lookId, since, seenAt } = found;
    const mark = {
      ...{ monitorId, lookId, since: since.toISOString(), seenAt: seenAt.toISOString() },
      ...(region !== null && { region }),
    };
    const known = marks.get(screenshotId);
    // Several monitors and regions can watch a page. The first to see the change counts.
    if (!known || mark.since < known.since) marks.set(screenshotId, mark);
  }
  if (marks.size === 0) return;
  await em.execute(
    `update runs.screenshot s set production = v.mark
     from jsonb_to_recordset(?::jsonb) as v (id text, mark jsonb)
     where s.id = v.id and s.run_id = ? and s.status = 'changed'`,
    [JSON.stringify([...marks].map(([id, mark]) => ({ id, mark }))), run.id],
  );
}

/**
 * Finds the changed screenshots of a run whose pixels or fingerprint a monitor of the team saw on the same page, with all
 * that it saw there. Each region of a monitor has looks of its own.
 */
function findCandidates(em: EntityManager, { id, teamId, projectId }: Run): Promise<Candidate[]> {
  const matches = (by: string) => `
    select s.id, l.project_id, l.environment from runs.screenshot s
    join runs.look l on l.${by} = s.${by} and ${isSamePageFrom("l", "s")}
    where s.run_id = ? and s.status = 'changed' and s.baseline_hash is not null`;
  return em.execute(
    `with matched as (${matches("hash")} union ${matches("fingerprint")})
     select s.id as "screenshotId", s.hash, s.baseline_hash as "baselineHash", s.fingerprint, p.name as project,
       nullif(split_part(m.environment, '@', 2), '') as region, seen.looks
     from matched m join runs.screenshot s on s.id = m.id
     join runs.project p on p.id = m.project_id and p.team_id = ? and p.id <> ?
     cross join lateral (
       select jsonb_agg(jsonb_build_object('id', l.id, 'hash', l.hash, 'fingerprint', l.fingerprint,
         'cameAt', l.came_at, 'seenAt', l.seen_at)) as looks
       from runs.look l where l.project_id = m.project_id and l.environment = m.environment
         and ${isSamePageFrom("l", "s")}) seen`,
    [id, id, teamId, projectId],
  );
}
