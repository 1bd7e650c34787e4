import type { EntityManager } from "../../../mixins/database.ts";
import type { TransferFile } from "../../../shared/contracts/transfers/transfers.ts";
import type { ExportPart } from "../../../shared/transfers/export-manifest.ts";

export async function insertParts(
  em: EntityManager,
  id: string,
  from: number,
  parts: readonly ExportPart[],
): Promise<void> {
  await em.execute(
    `insert into runs.transfer_part (transfer_id, number, service, table_name, rows, hash)
     select ?, v.number, v.service, v."table", v.rows, v.hash
     from jsonb_to_recordset(?::jsonb) as v (number int, service text, "table" text, rows int, hash text)
     on conflict do nothing`,
    [id, JSON.stringify(parts.map((part, index) => ({ ...part, number: from + index })))],
  );
}

/** Finds parts by their number, beginning after one. */
export async function findParts(
  em: EntityManager,
  id: string,
  after: number,
  limit: number,
): Promise<{ number: number; part: ExportPart }[]> {
  const rows: (ExportPart & { number: number })[] = await em.execute(
    `select number, service, table_name as "table", rows, hash from runs.transfer_part
     where transfer_id = ? and number > ? order by number limit ?`,
    [id, after, limit],
  );
  return rows.map(({ number, ...part }) => ({ number, part }));
}

export async function insertFiles(
  em: EntityManager,
  id: string,
  files: readonly TransferFile[],
): Promise<void> {
  if (files.length === 0) return;
  await em.execute(
    `insert into runs.transfer_file (transfer_id, hash, kind)
     select distinct on (v.hash) ?, v.hash, v.kind from jsonb_to_recordset(?::jsonb) as v (hash text, kind text)
     order by v.hash, v.kind on conflict do nothing`,
    [id, JSON.stringify(files)],
  );
}

/** Finds files by their hash, beginning after one. */
export async function findFiles(
  em: EntityManager,
  id: string,
  after: string,
  limit: number,
): Promise<TransferFile[]> {
  return await em.execute(
    "select hash, kind from runs.transfer_file where transfer_id = ? and hash > ? order by hash limit ?",
    [id, after, limit],
  );
}

/** Finds which of these files a transfer has. */
export async function findKnownFiles(
  em: EntityManager,
  id: string,
  hashes: readonly string[],
): Promise<Set<string>> {
  const rows: { hash: string }[] = await em.execute(
    `select f.hash from jsonb_array_elements_text(?::jsonb) as v (hash)
     join runs.transfer_file f on f.transfer_id = ? and f.hash = v.hash`,
    [JSON.stringify(hashes), id],
  );
  return new Set(rows.map(({ hash }) => hash));
}

/** Deletes the parts and files of a transfer that needs them no more. The cleanup deletes what nothing else needs. */
export async function deleteContents(em: EntityManager, id: string): Promise<void> {
  await em.execute("delete from runs.transfer_part where transfer_id = ?", [id]);
  await em.execute("delete from runs.transfer_file where transfer_id = ?", [id]);
}

/** Finds the names and ids of a team's projects, by name. */
export async function findProjects(
  em: EntityManager,
  teamId: string,
): Promise<{ id: string; name: string }[]> {
  return await em.execute("select id, name from runs.project where team_id = ? order by name", [teamId]);
}

/** Finds the names of a team's secrets, with their projects. */
export async function findSecretNames(
  em: EntityManager,
  teamId: string,
): Promise<{ project: string; name: string }[]> {
  return await em.execute("select project, name from runs.secret where team_id = ? order by project, name", [
    teamId,
  ]);
}
