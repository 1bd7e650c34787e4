import type { EntityManager } from "../../../mixins/database.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { ListedFiles } from "../../../shared/contracts/runs/stories.ts";
import type { LoadedFiles } from "../../../shared/storybook/changes/change-detector.ts";
import { isSamePage, PAGE_RECORD, pageColumns, pageFields, pageRowOf } from "../page-columns.ts";

/** What was behind a story when it was captured. */
export interface StoryRecord extends ScreenshotKey {
  /** SHA-256 of the captured image. */
  imageHash: string;
  /** Hash of what besides its files decides how it looks, including the browser. */
  settings: string;
  /** Id of the files that its page loaded. */
  filesId: string;
  /** Hash of its source files. Null if unknown. */
  sources: string | null;
}

/** Records that no run has needed for so many days are deleted. No branch is compared for longer. */
const KEPT_DAYS = 90;

/** Stores the names and hashes of an archive's files, without the hashes that bundlers put into them. */
export async function putArchiveFiles(em: EntityManager, archive: string, files: ListedFiles): Promise<void> {
  await em.execute("update runs.archive set story_files = ?::jsonb where id = ? and story_files is null", [
    JSON.stringify(files),
    archive,
  ]);
}

/** Returns the names and hashes of archives' files by the archives' ids. */
export async function findArchiveFiles(
  em: EntityManager,
  archives: readonly string[],
): Promise<Map<string, ListedFiles>> {
  const rows: { id: string; files: ListedFiles }[] = await em.execute(
    `select id, story_files as files from runs.archive
     where story_files is not null and id in (select jsonb_array_elements_text(?::jsonb))`,
    [JSON.stringify(archives)],
  );
  return new Map(rows.map(({ id, files }) => [id, files]));
}

/** Finds what was behind these images of stories, with the files that their pages loaded. */
export async function findStoryRecords(
  em: EntityManager,
  projectId: string,
  images: readonly (ScreenshotKey & { imageHash: string })[],
): Promise<{ stories: StoryRecord[]; files: LoadedFiles[] }> {
  const stories: StoryRecord[] = await em.execute(
    `select ${pageFields("r")}, r.image_hash as "imageHash", r.settings, r.files_id as "filesId", r.sources
     from jsonb_to_recordset(?::jsonb) as v (${PAGE_RECORD}, "imageHash" text)
     join runs.story_record r on r.project_id = ? and ${isSamePage("r", "v")} and r.image_hash = v."imageHash"`,
    [JSON.stringify(images.map(each => ({ ...pageRowOf(each), imageHash: each.imageHash }))), projectId],
  );
  const files: LoadedFiles[] = await em.execute(
    `select id, loaded from runs.story_files
     where project_id = ? and id in (select jsonb_array_elements_text(?::jsonb))`,
    [projectId, JSON.stringify([...new Set(stories.map(({ filesId }) => filesId))])],
  );
  return { stories, files };
}

/** Stores what was behind captured stories. Later files of the same image and settings replace earlier ones. */
export async function putStoryRecords(
  em: EntityManager,
  projectId: string,
  { stories, files }: { stories: readonly StoryRecord[]; files: readonly LoadedFiles[] },
): Promise<void> {
  await em.execute(
    `insert into runs.story_files (project_id, id, loaded)
     select ?, v.id, v.loaded from jsonb_to_recordset(?::jsonb) as v (id text, loaded jsonb) order by v.id
     on conflict (project_id, id) do update set seen_at = now()`,
    [projectId, JSON.stringify(files)],
  );
  await em.execute(
    `insert into runs.story_record (project_id, ${pageColumns()}, image_hash, settings, files_id, sources)
     select ?, ${pageColumns("v")}, v."imageHash", v.settings, v."filesId", v.sources
     from jsonb_to_recordset(?::jsonb) as v (
       ${PAGE_RECORD}, "imageHash" text, settings text, "filesId" text, sources text)
     order by ${pageColumns("v")}
     on conflict (project_id, ${pageColumns()}, image_hash, settings)
       do update set files_id = excluded.files_id, sources = excluded.sources, seen_at = now()`,
    [projectId, JSON.stringify(stories.map(each => ({ ...each, ...pageRowOf(each) })))],
  );
}

/** Notes that a run has skipped stories by these records, so that they are kept. */
export async function touchStoryRecords(
  em: EntityManager,
  projectId: string,
  records: readonly StoryRecord[],
): Promise<void> {
  await em.execute(
    `update runs.story_record r set seen_at = now()
     from jsonb_to_recordset(?::jsonb) as v (${PAGE_RECORD}, "imageHash" text, settings text)
     where r.project_id = ? and ${isSamePage("r", "v")} and r.image_hash = v."imageHash"
       and r.settings = v.settings and r.seen_at < now() - interval '1 day'`,
    [JSON.stringify(records.map(each => ({ ...each, ...pageRowOf(each) }))), projectId],
  );
}

/** Deletes all records of a project, so that its next run captures all stories. */
export async function deleteStoryRecords(em: EntityManager, projectId: string): Promise<void> {
  await em.execute("delete from runs.story_record where project_id = ?", [projectId]);
}

/** Deletes a team's records that no run needs anymore, and files without a record. @returns how many */
export async function deleteOldStoryRecords(
  em: EntityManager,
  teamId: string,
  limit: number,
): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from runs.story_record where ctid in (
       select r.ctid from runs.story_record r join runs.project p on p.id = r.project_id
       where p.team_id = ? and r.seen_at < now() - make_interval(days => ?) limit ?)
     returning route`,
    [teamId, KEPT_DAYS, limit],
  );
  // A capture stores its files before its record.
  const unused: object[] = await em.execute(
    `delete from runs.story_files where ctid in (
       select f.ctid from runs.story_files f join runs.project p on p.id = f.project_id
       where p.team_id = ? and f.seen_at < now() - interval '1 day'
         and not exists (
           select from runs.story_record r where r.project_id = f.project_id and r.files_id = f.id)
       limit ?)
     returning id`,
    [teamId, limit],
  );
  return Math.max(rows.length, unused.length);
}
