import type { EntityManager } from "../../../mixins/database.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { LOOK_BOUNDS, type SeenPage } from "../../../shared/contracts/comparisons/looks.ts";
import { newId } from "../../../shared/ids.ts";
import { isPage, isSamePage, isSamePageFrom, pageColumns, pageValues } from "../page-columns.ts";

/** A check of a monitor, with the pages that it captured. */
export interface SeenPages {
  teamId: string;
  project: string;
  checkId: string;
  at: string;
  pages: SeenPage[];
}

/**
 * Records the looks of a check, each once. A page that looks as in the check before extends that look. Pixels that only
 * ignore regions let through are the baseline's look. Then deletes the oldest looks of pages with too many.
 */
export async function recordLooks(em: EntityManager, seen: SeenPages): Promise<void> {
  const { teamId, project, checkId, at } = seen;
  const pages = seen.pages.map(page => ({ ...page, lookId: newId("look") }));
  await em.transactional(async tx => {
    // One check of a monitor ends at a time, but two nodes may end the same one.
    const [owner]: { id: string }[] = await tx.execute(
      "select id from runs.project where team_id = ? and name = ? for update",
      [teamId, project],
    );
    if (!owner) return;
    await tx.execute(
      `with seen as materialized (
         select v."lookId", ${pageColumns("s")}, s.id as screenshot_id, s.run_id, s.baseline_hash, s.browser,
           case when s.status = 'unchanged' and s.diff_pixels + s.faint_pixels = 0 then coalesce(s.baseline_hash, s.hash) else s.hash end
             as hash,
           s.width, s.height, case when s.diff_pixels + s.faint_pixels > 0 then s.fingerprint end as fingerprint
         from jsonb_to_recordset(?::jsonb) as v ("runId" text, "screenshotId" text, "lookId" text)
         join runs.screenshot s on s.id = v."screenshotId" and s.run_id = v."runId"
         join runs.run r on r.id = s.run_id and r.project_id = ?
         where s.hash is not null
       ), current as materialized (
         select seen.*, l.id as current_id, l.hash as current_hash, l.last_check_id
         from seen left join lateral (
           select l.id, l.hash, l.last_check_id from runs.look l
           where l.project_id = ? and ${isSamePage("l", "seen")} order by l.came_at desc, l.id desc limit 1) l on true
       ), extended as (
         update runs.look l set seen_at = ?, checks = checks + 1, last_check_id = ?
         from current c where l.id = c.current_id and c.current_hash = c.hash and l.last_check_id < ?
       )
       insert into runs.look (id, project_id, ${pageColumns()}, hash, width, height, browser, run_id, screenshot_id,
         baseline_hash, fingerprint, came_at, seen_at, first_check_id, last_check_id)
       select "lookId", ?, ${pageColumns()}, hash, width, height, browser, run_id, screenshot_id, baseline_hash,
         fingerprint, ?, ?, ?, ?
       from current where current_hash is distinct from hash and (last_check_id is null or last_check_id < ?)
       on conflict do nothing`,
      [
        JSON.stringify(pages),
        ...[owner.id, owner.id, at, checkId, checkId],
        ...[owner.id, at, at, checkId, checkId, checkId],
      ],
    );
    await deleteSurplus(tx, owner.id);
  });
}

async function deleteSurplus(em: EntityManager, projectId: string): Promise<void> {
  await em.execute(
    `delete from runs.look where id in (
       select id from (
         select id, row_number() over (partition by ${pageColumns()} order by came_at desc, id desc) as place
         from runs.look where project_id = ?) l
       where place > ${LOOK_BOUNDS.perPage})`,
    [projectId],
  );
}

/** A look as it is stored. */
export interface StoredLook extends ScreenshotKey {
  id: string;
  hash: string;
  width: number | null;
  height: number | null;
  runId: string;
  screenshotId: string;
  baselineHash: string | null;
  fingerprint: string | null;
  cameAt: Date;
  seenAt: Date;
  checks: number;
  checkId: string;
  /** Null if the image has none. */
  capsuleHash: string | null;
  /** The approval of the same pixels in another project. */
  commit: { project: string; scope: string; sha: string; runId: string } | null;
}

/** Lists the looks of a page of a monitor, oldest first. */
export function listLooks(
  em: EntityManager,
  { teamId, project }: { teamId: string; project: string },
  page: ScreenshotKey,
): Promise<StoredLook[]> {
  return em.execute(
    `select l.id, l.route, nullif(l.state, '') as state, nullif(l.environment, '') as environment, l.viewport, l.hash,
       l.width, l.height, l.run_id as "runId", l.screenshot_id as "screenshotId", l.baseline_hash as "baselineHash",
       l.fingerprint, l.came_at as "cameAt", l.seen_at as "seenAt", l.checks, l.first_check_id as "checkId",
       c.capsule_hash as "capsuleHash", made.commit
     from runs.look l join runs.project p on p.id = l.project_id
     left join runs.capsule c on c.project_id = l.project_id and ${isSamePage("c", "l")} and c.image_hash = l.hash
     left join lateral (
       select jsonb_build_object('project', o.name, 'scope', b.scope, 'sha', b.sha, 'runId', b.run_id) as commit
       from runs.baseline b join runs.project o on o.id = b.project_id
       where o.team_id = p.team_id and o.id <> p.id and b.hash = l.hash and ${isSamePageFrom("l", "b")}
         and b.sha is not null and b.approved_at <= l.came_at
       order by b.seq desc limit 1) made on true
     where p.team_id = ? and p.name = ? and ${isPage("l")}
     order by l.came_at, l.id`,
    [teamId, project, ...pageValues(page)],
  );
}

/** Deletes looks that are too old. The current look of a page stays. @returns how many */
export async function deleteOldLooks(em: EntityManager, teamId: string, limit: number): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from runs.look where id in (
       select l.id from runs.look l join runs.project p on p.id = l.project_id
       where p.team_id = ? and l.seen_at < now() - make_interval(days => ${LOOK_BOUNDS.days})
         and exists (select from runs.look n where n.project_id = l.project_id and ${isSamePage("n", "l")}
           and (n.came_at, n.id) > (l.came_at, l.id))
       limit ?)
     returning id`,
    [teamId, limit],
  );
  return rows.length;
}

/** Deletes the looks of a project, for a deleted monitor. */
export async function deleteLooks(em: EntityManager, teamId: string, project: string): Promise<void> {
  await em.execute(
    `delete from runs.look where project_id in (select id from runs.project where team_id = ? and name = ?)`,
    [teamId, project],
  );
}
