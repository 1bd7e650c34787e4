import type { EntityManager } from "../../../mixins/database.ts";
import type { ArchivedFile } from "../../../shared/archives/archive-index.ts";

/** An archive of a project. */
export interface StoredArchive {
  id: string;
  files: number;
  bytes: number;
  createdAt: Date;
}

interface Owner {
  teamId: string;
  project: string;
}

/** Finds an archive of a team's project, and keeps it for another day. */
export async function touchArchive(
  em: EntityManager,
  { teamId, project }: Owner,
  id: string,
): Promise<StoredArchive | null> {
  const rows: Row[] = await em.execute(
    `update runs.project_archive pa set used_at = now()
     from runs.archive a
     where pa.team_id = ? and pa.project = ? and pa.archive_id = ? and a.id = pa.archive_id
     returning a.id, a.files, a.bytes::text, pa.created_at as "createdAt"`,
    [teamId, project, id],
  );
  const [row] = rows;
  return row ? storedOf(row) : null;
}

interface Row {
  id: string;
  files: number;
  bytes: string;
  createdAt: Date | string;
}

function storedOf({ id, files, bytes, createdAt }: Row): StoredArchive {
  return { id, files, bytes: Number(bytes), createdAt: new Date(createdAt) };
}

/** Adds an archive to a project. A repeated call changes nothing. */
export async function insertArchive(
  em: EntityManager,
  { teamId, project }: Owner,
  { id, files }: { id: string; files: readonly ArchivedFile[] },
): Promise<void> {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const hashes = [...new Set(files.map(({ hash }) => hash))];
  await em.transactional(async tx => {
    // The update locks the row, so that it isn't deleted before the project refers to it.
    await tx.execute(
      `insert into runs.archive (id, files, bytes) values (?, ?, ?)
       on conflict (id) do update set files = excluded.files`,
      [id, files.length, bytes],
    );
    await tx.execute(
      `insert into runs.archive_file (archive_id, hash)
       select ?, v.hash from jsonb_array_elements_text(?::jsonb) as v (hash) on conflict do nothing`,
      [id, JSON.stringify(hashes)],
    );
    await tx.execute(
      `insert into runs.project_archive (team_id, project, archive_id) values (?, ?, ?)
       on conflict (team_id, project, archive_id) do update set used_at = now()`,
      [teamId, project, id],
    );
  });
}

/** Returns the size of a team's archives together, in bytes. An archive of several projects counts once. */
export async function sumArchiveBytes(em: EntityManager, teamId: string): Promise<number> {
  const rows: { bytes: string }[] = await em.execute(
    `select coalesce(sum(a.bytes), 0)::text as bytes from runs.archive a
     where a.id in (select archive_id from runs.project_archive where team_id = ?)`,
    [teamId],
  );
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * Deletes a team's archives that no run refers to, a day after their last use. A client may have asked for an archive
 * and not submitted its run yet. @returns the number of deleted archives
 */
export async function deleteUnusedArchives(
  em: EntityManager,
  teamId: string,
  limit: number,
): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from runs.project_archive where (team_id, project, archive_id) in (
       select pa.team_id, pa.project, pa.archive_id from runs.project_archive pa
       where pa.team_id = ? and pa.used_at < now() - interval '1 day'
         and not exists (
           select from runs.run r
           where r.archive = pa.archive_id and r.team_id = pa.team_id and r.project = pa.project)
       limit ?)
     returning archive_id`,
    [teamId, limit],
  );
  return rows.length;
}

/** Removes all archives from a team's projects. */
export async function deleteTeamArchives(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from runs.project_archive where team_id = ?", [teamId]);
}

/** Deletes archives that no project has anymore. Their files are deleted by the cleanup of the store. */
export async function deleteOrphanedArchives(em: EntityManager, limit: number): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from runs.archive where id in (
       select a.id from runs.archive a where a.created_at < now() - interval '1 day'
         and not exists (select from runs.project_archive pa where pa.archive_id = a.id)
       limit ?)
     returning id`,
    [limit],
  );
  return rows.length;
}

/** Finds the stored files that no archive has, and that are no attachments. */
export async function findUnreferencedFiles(em: EntityManager, hashes: string[]): Promise<Set<string>> {
  const rows: { hash: string }[] = await em.execute(
    `select v.hash from jsonb_array_elements_text(?::jsonb) as v (hash)
     where not exists (select from runs.archive_file f where f.hash = v.hash)
       and not exists (select from runs.archive a where a.id = v.hash)
       and not exists (select from runs.attachment t where t.hash = v.hash)
       and not exists (select from runs.transfer_part p where p.hash = v.hash)
       and not exists (select from runs.transfer_file f where f.hash = v.hash)`,
    [JSON.stringify(hashes)],
  );
  return new Set(rows.map(row => row.hash));
}
