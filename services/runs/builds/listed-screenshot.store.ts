import type { EntityManager } from "../../../mixins/database.ts";
import type { DecodedUpload } from "../../../shared/contracts/builds/builds.ts";
import type { UploadedScreenshot } from "../../../shared/contracts/builds/uploaded-screenshot.ts";
import type { Run } from "../run.entity.ts";
import type { Build } from "./build.store.ts";

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

/** A build with one of its images. */
export interface UploadTarget {
  projectId: string;
  run: Pick<Run, "source" | "url" | "project" | "status">;
  /** Whether it accepts screenshots. */
  isOpen: boolean;
  isListed: boolean;
  /** Null if the project doesn't have it. */
  image: Pick<DecodedUpload, "width" | "height"> | null;
}

/** Finds a team's build for one of its images. One statement, because it is needed for each image. */
export async function findUploadTarget(
  em: EntityManager,
  teamId: string,
  { runId, hash }: { runId: string; hash: string },
): Promise<UploadTarget | null> {
  const [row]: (UploadTarget["run"] & {
    projectId: string;
    isOpen: boolean;
    isListed: boolean;
    width: number | null;
    height: number | null;
  })[] = await em.execute(
    `select r.source, r.url, r.project, r.status, b.project_id as "projectId", u.width, u.height,
       b.closed_at is null and r.completed_at is null as "isOpen",
       exists (select from runs.build_screenshot s where s.run_id = b.run_id and s.hash = ?) as "isListed"
     from runs.build b join runs.run r on r.id = b.run_id
     left join runs.uploaded_image u on u.project_id = b.project_id and u.hash = ?
     where b.run_id = ? and r.team_id = ?`,
    [hash, hash, runId, teamId],
  );
  if (!row) return null;
  const { projectId, isOpen, isListed, width, height, ...run } = row;
  const image = width === null || height === null ? null : { width, height };
  return { projectId, run, isOpen, isListed, image };
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

/** Forgets images that no build listed for a month. Those that a row refers to stay in the store. */
export async function deleteUnusedImages(em: EntityManager): Promise<void> {
  await em.execute("delete from runs.uploaded_image where used_at < now() - interval '30 days'");
}
