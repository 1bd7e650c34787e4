import type { EntityManager } from "../../../mixins/database.ts";
import type { AttachmentKind, UploadedAttachment } from "../../../shared/contracts/builds/attachments.ts";
import type { Build } from "../builds/build.store.ts";
import type { ListedScreenshot } from "../builds/listed-screenshot.store.ts";
import type { ListedImage } from "./wanted-attachments.rule.ts";

const FIELDS = "hash, kind, bytes";

/** Finds the screenshots whose image was approved for their name and environment, on any branch. */
export async function findApproved(
  em: EntityManager,
  projectId: string,
  listed: readonly ListedScreenshot[],
): Promise<ListedImage[]> {
  return em.execute(
    `select v.name, v.environment, v.hash from jsonb_to_recordset(?::jsonb)
       as v (name text, environment text, hash text)
     join runs.uploaded_image u on u.project_id = ? and u.hash = v.hash
     where exists (select from runs.baseline b
       where b.project_id = ? and b.route = v.name and b.state = '' and b.environment = v.environment
         and b.hash = u.image_hash)`,
    [JSON.stringify(listed), projectId, projectId],
  );
}

/** Notes that a run shows these attachments, up to a number for each run. */
export async function wantAttachments(
  em: EntityManager,
  runId: string,
  { shard, hashes, limit }: { shard: string; hashes: readonly string[]; limit: number },
): Promise<void> {
  await em.execute(
    `insert into runs.run_attachment (run_id, shard, hash)
     select ?, ?, v.hash from jsonb_array_elements_text(?::jsonb) as v (hash)
     limit greatest(0, ? - (select count(*) from runs.run_attachment where run_id = ?))
     on conflict do nothing`,
    [runId, shard, JSON.stringify(hashes), limit, runId],
  );
}

/** Returns whether a run shows an attachment. */
export async function isWanted(em: EntityManager, runId: string, hash: string): Promise<boolean> {
  const rows: object[] = await em.execute("select from runs.run_attachment where run_id = ? and hash = ?", [
    runId,
    hash,
  ]);
  return rows.length > 0;
}

/** Finds attachments of a build, or of one of its shards, that the project doesn't have. */
export async function findMissingAttachments(
  em: EntityManager,
  { runId, projectId }: Pick<Build, "runId" | "projectId">,
  { shard, limit }: { shard?: string | undefined; limit: number },
): Promise<string[]> {
  const rows: { hash: string }[] = await em.execute(
    `select ra.hash from runs.run_attachment ra
     where ra.run_id = ? and (?::text is null or ra.shard = ?)
       and not exists (select from runs.attachment a where a.project_id = ? and a.hash = ra.hash)
     order by ra.hash limit ?`,
    [runId, shard ?? null, shard ?? null, projectId, limit],
  );
  return rows.map(({ hash }) => hash);
}

/** Finds attachments of a project by their hashes. */
export async function findAttachments(
  em: EntityManager,
  projectId: string,
  hashes: readonly string[],
): Promise<Map<string, UploadedAttachment>> {
  if (hashes.length === 0) return new Map();
  const rows: { hash: string; kind: AttachmentKind; bytes: number }[] = await em.execute(
    `select ${FIELDS} from runs.attachment
     where project_id = ? and hash in (select jsonb_array_elements_text(?::jsonb))`,
    [projectId, JSON.stringify(hashes)],
  );
  return new Map(rows.map(row => [row.hash, row]));
}

/** Adds an attachment to a project, once. */
export async function insertAttachment(
  em: EntityManager,
  projectId: string,
  { hash, kind, bytes }: UploadedAttachment,
): Promise<void> {
  await em.execute(
    `insert into runs.attachment (project_id, hash, kind, bytes) values (?, ?, ?, ?)
     on conflict (project_id, hash) do update set used_at = now()`,
    [projectId, hash, kind, bytes],
  );
}

/** Returns the size of a team's attachments together, in bytes. */
export async function sumAttachmentBytes(em: EntityManager, teamId: string): Promise<number> {
  const rows: { bytes: string }[] = await em.execute(
    `select coalesce(sum(a.bytes), 0)::text as bytes from runs.attachment a
     join runs.project p on p.id = a.project_id where p.team_id = ?`,
    [teamId],
  );
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * Deletes a team's attachments that no run shows, a day after their upload. Their files are deleted by the cleanup of
 * the store. @returns the number of deleted attachments
 */
export async function deleteUnusedAttachments(
  em: EntityManager,
  teamId: string,
  limit: number,
): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from runs.attachment where (project_id, hash) in (
       select a.project_id, a.hash from runs.attachment a join runs.project p on p.id = a.project_id
       where p.team_id = ? and a.used_at < now() - interval '1 day'
         and not exists (
           select from runs.run_attachment ra join runs.run r on r.id = ra.run_id
           where ra.hash = a.hash and r.project_id = a.project_id)
       limit ?)
     returning hash`,
    [teamId, limit],
  );
  return rows.length;
}
