import type { EntityManager } from "../../../mixins/database.ts";
import type { CommitFiles } from "../../../shared/explain/name-changed-files.ts";

/** Records the files that a run's commit changed. */
export async function recordChangedFiles(em: EntityManager, runId: string, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  await em.execute("update runs.run set changed_files = ?::jsonb where id = ?", [
    JSON.stringify(paths),
    runId,
  ]);
}

/** Finds the files that the commits of runs changed, by the run's id. */
export async function findChangedFilesOf(
  em: EntityManager,
  runIds: string[],
): Promise<Map<string, CommitFiles>> {
  if (runIds.length === 0) return new Map();
  const rows: { id: string; since: string; paths: string[] }[] = await em.execute(
    `select id, scm ->> 'baseSha' as since, changed_files as paths from runs.run
     where id in (?) and changed_files is not null and scm ->> 'baseSha' is not null`,
    [runIds],
  );
  return new Map(rows.map(({ id, since, paths }) => [id, { since, paths }]));
}
