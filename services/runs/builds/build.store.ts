import { UniqueConstraintViolationException } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import type { Scm } from "../../../shared/contracts/code-host/scm.ts";
import type { DecodedUpload } from "../../../shared/contracts/runs/builds.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";
import type { UploadedScreenshot } from "../../../shared/contracts/runs/uploaded-screenshot.ts";
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

/** A listed screenshot as it is stored. */
export interface ListedScreenshot {
  name: string;
  /** '' for the default environment. */
  environment: string;
  /** 0 for the width of the image. */
  width: number;
  hash: string;
  retry: number;
  metadata: Omit<UploadedScreenshot, "name" | "hash">;
}

const LISTED = "name text, environment text, width int, hash text, retry int, metadata jsonb";

/** Finds the first of these screenshots that another shard listed with other bytes, at the same attempt. */
export async function findContested(
  em: EntityManager,
  runId: string,
  shard: string,
  listed: ListedScreenshot[],
): Promise<string | null> {
  const [row]: { name: string }[] = await em.execute(
    `select v.name from jsonb_to_recordset(?::jsonb) as v (${LISTED})
     join runs.build_screenshot s on s.run_id = ? and s.name = v.name and s.environment = v.environment
       and s.width = v.width and s.retry = v.retry
     where s.shard <> ? and s.hash <> v.hash order by v.name limit 1`,
    [JSON.stringify(listed), runId, shard],
  );
  return row?.name ?? null;
}

/** Adds screenshots to a build. The screenshot of the last attempt of a test replaces earlier ones. */
export async function putListed(
  em: EntityManager,
  runId: string,
  shard: string,
  listed: ListedScreenshot[],
): Promise<void> {
  await em.execute(
    `insert into runs.build_screenshot as s (run_id, name, environment, width, shard, hash, retry, metadata)
     select ?, v.name, v.environment, v.width, ?, v.hash, v.retry, v.metadata
     from jsonb_to_recordset(?::jsonb) as v (${LISTED})
     on conflict (run_id, name, environment, width) do update
       set shard = excluded.shard, hash = excluded.hash, retry = excluded.retry, metadata = excluded.metadata
       where s.retry <= excluded.retry`,
    [runId, shard, JSON.stringify(listed)],
  );
}

/** Returns the hashes that the project has no image of. Keeps the other images for another month. */
export async function findUnknown(
  em: EntityManager,
  projectId: string,
  hashes: string[],
): Promise<Set<string>> {
  const rows: { hash: string }[] = await em.execute(
    `update runs.uploaded_image set used_at = now()
     where project_id = ? and hash in (select jsonb_array_elements_text(?::jsonb)) returning hash`,
    [projectId, JSON.stringify(hashes)],
  );
  const known = new Set(rows.map(({ hash }) => hash));
  return new Set(hashes.filter(hash => !known.has(hash)));
}

/** Finds hashes of a build, or of one of its shards, that the project has no image of. */
export async function findMissing(
  em: EntityManager,
  { runId, projectId }: Pick<Build, "runId" | "projectId">,
  { shard, limit }: { shard?: string | undefined; limit: number },
): Promise<string[]> {
  const rows: { hash: string }[] = await em.execute(
    `select s.hash from runs.build_screenshot s
     where s.run_id = ? and (?::text is null or s.shard = ?)
       and not exists (select from runs.uploaded_image u where u.project_id = ? and u.hash = s.hash)
     group by s.hash order by min(s.seq) limit ?`,
    [runId, shard ?? null, shard ?? null, projectId, limit],
  );
  return rows.map(({ hash }) => hash);
}

/** Returns whether a build lists an image. */
export async function isListed(em: EntityManager, runId: string, hash: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    "select from runs.build_screenshot where run_id = ? and hash = ? limit 1",
    [runId, hash],
  );
  return rows.length > 0;
}

/** Finds an image of a project by the hash of the uploaded bytes. */
export async function findImage(
  em: EntityManager,
  projectId: string,
  hash: string,
): Promise<DecodedUpload | null> {
  const [image]: DecodedUpload[] = await em.execute(
    `select hash, image_hash as "imageHash", width, height from runs.uploaded_image
     where project_id = ? and hash = ?`,
    [projectId, hash],
  );
  return image ?? null;
}

/** Adds an image to a project, once. */
export async function insertImage(
  em: EntityManager,
  projectId: string,
  { hash, imageHash, width, height }: DecodedUpload,
): Promise<void> {
  await em.execute(
    `insert into runs.uploaded_image (project_id, hash, image_hash, width, height) values (?, ?, ?, ?, ?)
     on conflict (project_id, hash) do update set used_at = now()`,
    [projectId, hash, imageHash, width, height],
  );
}

/** A listed screenshot with its image. */
export interface ListedImage extends ListedScreenshot {
  imageHash: string;
  imageWidth: number;
  imageHeight: number;
}

/** Finds the screenshots of a build that have images, in the order in which they were listed. */
export function findListed(
  em: EntityManager,
  { runId, projectId }: Pick<Build, "runId" | "projectId">,
): Promise<ListedImage[]> {
  return em.execute(
    `select s.name, s.environment, s.width, s.hash, s.retry, s.metadata, u.image_hash as "imageHash",
       u.width as "imageWidth", u.height as "imageHeight"
     from runs.build_screenshot s
     join runs.uploaded_image u on u.project_id = ? and u.hash = s.hash
     where s.run_id = ? order by s.seq`,
    [projectId, runId],
  );
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

/** Forgets images that no build listed for a month. Those that a row refers to stay in the store. */
export async function deleteUnusedImages(em: EntityManager): Promise<void> {
  await em.execute("delete from runs.uploaded_image where used_at < now() - interval '30 days'");
}
