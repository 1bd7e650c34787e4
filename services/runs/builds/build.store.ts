import { UniqueConstraintViolationException } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import type { Scm } from "../../../shared/contracts/code-host/scm.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";
import type { RunWithOptions } from "../run.entity.ts";
import { insertRun } from "../run.store.ts";
import { type Screenshot, ScreenshotEntity } from "../screenshot.entity.ts";

/** What a build's baselines are chosen by, besides its run. */
interface ComparedWith {
  baselineBranch?: string;
  /** The commit with the history that its run doesn't keep. */
  scm?: NonNullable<SubmitRun["scm"]> | Scm;
}

/** A build that collects screenshots, or has collected them. */
export interface Build {
  runId: string;
  projectId: string;
  name: string | null;
  nonce: string | null;
  /** Expected number of shards. */
  total: number | null;
  subset: boolean;
  comparedWith: ComparedWith;
  /** When it stopped accepting screenshots. */
  closedAt: Date | null;
  /** When its screenshots became rows of its run. */
  finalizedAt: Date | null;
}

const FIELDS = `run_id as "runId", project_id as "projectId", name, nonce, total, subset,
  compared_with as "comparedWith", closed_at as "closedAt", finalized_at as "finalizedAt"`;

/**
 * Inserts a build with its run, which has no screenshots yet. @returns its id, or the id of the build that was inserted
 * at the same time
 */
export async function insertBuildOnce(
  em: EntityManager,
  run: RunWithOptions,
  build: Omit<Build, "closedAt" | "finalizedAt">,
  findFirst: () => Promise<string | null>,
): Promise<string> {
  try {
    await em.transactional(async tx => {
      await insertRun(tx, run, []);
      await insertBuild(tx, build);
    });
    return run.id;
  } catch (error) {
    const first = error instanceof UniqueConstraintViolationException ? await findFirst() : null;
    if (first === null) throw error;
    return first;
  }
}

async function insertBuild(em: EntityManager, build: Omit<Build, "closedAt" | "finalizedAt">): Promise<void> {
  const { runId, projectId, name, nonce, total, subset, comparedWith } = build;
  await em.execute(
    `insert into runs.build (run_id, project_id, name, nonce, total, subset, compared_with)
     values (?, ?, ?, ?, ?, ?, ?::jsonb)`,
    [runId, projectId, name, nonce, total, subset, JSON.stringify(comparedWith)],
  );
}

export async function findBuild(em: EntityManager, runId: string): Promise<Build | null> {
  const [build]: Build[] = await em.execute(`select ${FIELDS} from runs.build where run_id = ?`, [runId]);
  return build ?? null;
}

export async function findBuildByNonce(
  em: EntityManager,
  projectId: string,
  nonce: string,
): Promise<Build | null> {
  const [build]: Build[] = await em.execute(
    `select ${FIELDS} from runs.build where project_id = ? and nonce = ?`,
    [projectId, nonce],
  );
  return build ?? null;
}

/** Locks a build, after other requests about it have ended. Resets the time after which it counts as abandoned. */
export async function lockBuild(em: EntityManager, runId: string): Promise<Build | null> {
  const [build]: Build[] = await em.execute(
    `update runs.build set touched_at = now() where run_id = ? returning ${FIELDS}`,
    [runId],
  );
  return build ?? null;
}

/** Notes that a build got an upload. So many arrive at once that each second one would wait for the row. */
export async function touchBuild(em: EntityManager, runId: string): Promise<void> {
  await em.execute(
    "update runs.build set touched_at = now() where run_id = ? and touched_at < now() - interval '10 seconds'",
    [runId],
  );
}

/** Sets the expected number of shards, if it is unknown. */
export async function setTotal(em: EntityManager, runId: string, total: number): Promise<void> {
  await em.execute("update runs.build set total = ? where run_id = ? and total is null", [total, runId]);
}

/** Notes that a shard has only some screenshots. So the build has only some, too. */
export async function setSubset(em: EntityManager, runId: string): Promise<void> {
  await em.execute("update runs.build set subset = true where run_id = ?", [runId]);
}

/** Adds a shard, or marks it as finalized. */
export async function putShard(
  em: EntityManager,
  runId: string,
  name: string,
  isFinalized: boolean,
): Promise<void> {
  await em.execute(
    `insert into runs.build_shard as s (run_id, name, finalized_at) values (?, ?, case when ? then now() end)
     on conflict (run_id, name) do update set finalized_at = coalesce(s.finalized_at, excluded.finalized_at)`,
    [runId, name, isFinalized],
  );
}

/** Numbers of a build's shards and screenshots. */
export interface BuildCounts {
  screenshots: number;
  seen: number;
  finalized: number;
}

export async function countBuild(em: EntityManager, runId: string): Promise<BuildCounts> {
  const [counts]: BuildCounts[] = await em.execute(
    `select (select count(*)::int from runs.build_screenshot where run_id = ?) as screenshots,
       count(*)::int as seen, count(finalized_at)::int as finalized
     from runs.build_shard where run_id = ?`,
    [runId, runId],
  );
  return counts ?? { screenshots: 0, seen: 0, finalized: 0 };
}

/** Closes a build. Returns true to the one caller who closed it. */
export async function closeBuild(em: EntityManager, runId: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    "update runs.build set closed_at = now() where run_id = ? and closed_at is null returning run_id",
    [runId],
  );
  return rows.length === 1;
}

/** Writes a build's screenshots into its run, once, unless the run has ended. */
export async function writeScreenshots(
  em: EntityManager,
  runId: string,
  screenshots: Screenshot[],
): Promise<void> {
  await em.transactional(async tx => {
    if (!(await markFinalized(tx, runId))) return;
    await tx.insertMany(ScreenshotEntity, screenshots);
    // The run has all of it now.
    await tx.execute("delete from runs.build_screenshot where run_id = ?", [runId]);
  });
}

/** Finds the screenshots of a finalized build that aren't classified, in order. */
export function findUnclassified(em: EntityManager, runId: string): Promise<Screenshot[]> {
  const where = { runId, status: "pending" as const, capturedAt: null };
  return em.find(ScreenshotEntity, where, { orderBy: { position: "asc" } });
}

/** Marks a build's screenshots as rows of its run. Returns true to the one caller who did. */
async function markFinalized(em: EntityManager, runId: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update runs.build b set finalized_at = now() from runs.run r
     where b.run_id = ? and b.finalized_at is null and r.id = b.run_id and r.completed_at is null
     returning b.run_id`,
    [runId],
  );
  return rows.length === 1;
}

/** Finds builds that accept screenshots and got no request for so long. */
export async function findAbandoned(em: EntityManager, minutes: number, limit: number): Promise<Build[]> {
  return em.execute(
    `select ${FIELDS} from runs.build b
     where finalized_at is null and closed_at is null and touched_at < now() - make_interval(mins => ?)
       and exists (select from runs.run r where r.id = b.run_id and r.completed_at is null)
     order by touched_at limit ?`,
    [minutes, limit],
  );
}

/** Locks a build, if it still accepts screenshots and got no request for so long. @returns whether it did */
export async function lockAbandoned(em: EntityManager, runId: string, minutes: number): Promise<boolean> {
  const rows: object[] = await em.execute(
    `select run_id from runs.build
     where run_id = ? and closed_at is null and touched_at < now() - make_interval(mins => ?) for update`,
    [runId, minutes],
  );
  return rows.length === 1;
}

/** Finds builds that were closed a while ago, but whose screenshots are not rows of their run. */
export async function findUnfinalized(em: EntityManager, limit: number): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select b.run_id as id from runs.build b join runs.run r on r.id = b.run_id
     where b.finalized_at is null and b.closed_at < now() - interval '15 seconds' and r.completed_at is null
     order by b.closed_at limit ?`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Finds finalized builds with screenshots that aren't classified. */
export async function findUnrecorded(em: EntityManager, limit: number): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select r.id from runs.run r join runs.build b on b.run_id = r.id
     where r.completed_at is null and b.finalized_at < now() - interval '15 seconds' and exists (
       select from runs.screenshot s
       where s.run_id = r.id and s.status = 'pending' and s.captured_at is null)
     order by r.id limit ?`,
    [limit],
  );
  return rows.map(({ id }) => id);
}
