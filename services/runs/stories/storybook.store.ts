import type { EntityManager } from "../../../mixins/database.ts";
import type { Viewport } from "../../../shared/contracts/capture/viewport.ts";
import type { Scm } from "../../../shared/contracts/code-host/scm.ts";
import type { RunWarning } from "../../../shared/contracts/runs/run-warning.ts";
import type { SkippedStories } from "../../../shared/contracts/runs/stories.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";
import type { RunWithOptions } from "../run.entity.ts";
import { insertRun } from "../run.store.ts";
import { type Screenshot, ScreenshotEntity } from "../screenshot.entity.ts";

/** The Storybook of a run. */
export interface Storybook {
  runId: string;
  tags: string[];
  viewports: Viewport[];
  /** Whether stories that nothing behind has changed are skipped. */
  onlyChanged: boolean;
  /** Hashes of the source files behind files of stories, by the import paths of these. */
  sources: Record<string, string>;
  /** What its baselines are chosen by, besides its run, with the history of the commit that its run doesn't keep. */
  comparedWith: { baselineBranch?: string; partial: boolean; scm?: NonNullable<SubmitRun["scm"]> | Scm };
  /** When its stories became screenshots of its run. */
  listedAt: Date | null;
}

const FIELDS = `run_id as "runId", tags, viewports, only_changed as "onlyChanged", sources, compared_with as "comparedWith", listed_at as "listedAt"`;

/** Returns the Storybook of a submission. Runs of selected stories say nothing about the others. */
export function storybookOf(
  runId: string,
  { storybook, viewports, baselineBranch, partial, scm }: SubmitRun,
): Omit<Storybook, "listedAt"> {
  const { tags = [], onlyChanged = false, sources = {} } = storybook ?? {};
  return {
    ...{ runId, tags, viewports, onlyChanged, sources: onlyChanged ? sources : {} },
    comparedWith: {
      partial: partial || tags.length > 0,
      ...(baselineBranch !== undefined && { baselineBranch }),
      ...(scm && { scm }),
    },
  };
}

/** Inserts a run with its Storybook. It has no screenshots before the stories are listed. */
export async function insertStorybookRun(
  em: EntityManager,
  run: RunWithOptions,
  { runId, tags, viewports, onlyChanged, sources, comparedWith }: Omit<Storybook, "listedAt">,
): Promise<void> {
  await em.transactional(async tx => {
    await insertRun(tx, run, []);
    await tx.execute(
      `insert into runs.storybook (run_id, tags, viewports, only_changed, sources, compared_with, dispatches)
       values (?, ?::jsonb, ?::jsonb, ?, ?::jsonb, ?::jsonb, 0)`,
      [
        runId,
        ...[tags, viewports].map(each => JSON.stringify(each)),
        onlyChanged,
        ...[sources, comparedWith].map(each => JSON.stringify(each)),
      ],
    );
  });
}

export async function findStorybook(em: EntityManager, runId: string): Promise<Storybook | null> {
  const [found]: Storybook[] = await em.execute(`select ${FIELDS} from runs.storybook where run_id = ?`, [
    runId,
  ]);
  return found ?? null;
}

/**
 * Writes the screenshots of a Storybook's run, once, unless the run has ended. @returns whether this call wrote them
 */
export async function writeStories(
  em: EntityManager,
  runId: string,
  {
    screenshots,
    screenshotsPerJob,
    warnings,
    stories,
  }: {
    screenshots: Screenshot[];
    screenshotsPerJob: number;
    warnings: RunWarning[];
    /** Which stories are skipped. Null if the run captures all. */
    stories: SkippedStories | null;
  },
): Promise<boolean> {
  return await em.transactional(async tx => {
    const rows: object[] = await tx.execute(
      `update runs.storybook b set listed_at = now() from runs.run r
       where b.run_id = ? and b.listed_at is null and r.id = b.run_id and r.completed_at is null
       returning b.run_id`,
      [runId],
    );
    if (rows.length === 0) return false;
    await tx.execute(
      `update runs.run set screenshots_per_job = ?, warnings = warnings || ?::jsonb, stories = ?::jsonb
       where id = ?`,
      [screenshotsPerJob, JSON.stringify(warnings), stories && JSON.stringify(stories), runId],
    );
    await tx.insertMany(ScreenshotEntity, screenshots);
    return true;
  });
}

const UNLISTED = "b.listed_at is null and r.completed_at is null";

/** Marks the next waiting lists of a team as requested, so that at most `limit` are. @returns the ids of their runs */
export async function takeWaiting(em: EntityManager, teamId: string, limit: number): Promise<string[]> {
  const rows: { runId: string }[] = await em.execute(
    `update runs.storybook s set dispatched_at = now(), dispatches = 1
     where s.dispatches = 0 and s.run_id in (
       select b.run_id from runs.storybook b join runs.run r on r.id = b.run_id
       where r.team_id = ? and ${UNLISTED} and b.dispatches = 0 order by b.run_id
       limit greatest(0, ?::int - (select count(*) from runs.storybook b join runs.run r on r.id = b.run_id
         where r.team_id = ? and ${UNLISTED} and b.dispatches > 0)))
     returning s.run_id as "runId"`,
    [teamId, limit, teamId],
  );
  return rows.map(({ runId }) => runId);
}

/** Finds the teams with lists that wait for others. */
export async function findWaitingTeams(em: EntityManager): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select distinct r.team_id as id from runs.storybook b join runs.run r on r.id = b.run_id
     where ${UNLISTED} and b.dispatches = 0`,
  );
  return rows.map(({ id }) => id);
}

/** A Storybook whose list was requested, and how often. */
export interface Unlisted {
  runId: string;
  dispatches: number;
}

/** Finds Storybooks whose list was requested before `before`, or 15 seconds ago, and has not arrived. */
export async function findUnlisted(em: EntityManager, before: Date | null): Promise<Unlisted[]> {
  return await em.execute(
    `select b.run_id as "runId", b.dispatches from runs.storybook b join runs.run r on r.id = b.run_id
     where ${UNLISTED} and b.dispatches > 0
       and b.dispatched_at < coalesce(?::timestamptz, now() - interval '15 seconds')
     order by b.dispatched_at`,
    [before],
  );
}

/** Notes that a lost request for a list is repeated. @returns false if another node repeats it */
export async function markRequested(
  em: EntityManager,
  { runId, dispatches }: { runId: string; dispatches: number },
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update runs.storybook set dispatched_at = now(), dispatches = dispatches + 1
     where run_id = ? and dispatches = ? and listed_at is null returning run_id`,
    [runId, dispatches],
  );
  return rows.length === 1;
}
