import type { EntityManager } from "../../../mixins/database.ts";
import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import { pageFields } from "../page-columns.ts";
import type { Run } from "../run.entity.ts";
import { MINOR } from "../run.store.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { STORY_TEXTS } from "../texts/runs.ts";
import { deleteStoryRecords } from "./story-record.store.ts";

/** Named misses of a run. More say nothing else. */
const MAX_NAMED = 20;

/**
 * Reports audited stories that changed all the same, in the transaction that ends their run. The project's records aren't
 * trusted anymore: its next run captures all stories.
 */
export async function reportMissed(
  em: EntityManager,
  { id, projectId, stories }: Pick<Run, "id" | "projectId" | "stories">,
): Promise<void> {
  if (stories === null || stories.audited === 0) return;
  const rows: Pick<Screenshot, "route" | "state" | "environment" | "viewport" | "story">[] = await em.execute(
    `select ${pageFields()}, story from runs.screenshot
       where run_id = ? and story #>> '{inputs,isAudit}' = 'true'
         and (status = 'changed' or ${MINOR} or status = 'failed' and blame = 'page')
       order by position`,
    [id],
  );
  if (rows.length === 0) return;
  const missed = rows
    .slice(0, MAX_NAMED)
    .map(({ story, ...page }) => pageName({ ...page, ...(story && { story }) }));
  await em.execute("update runs.run set stories = ?::jsonb, warnings = warnings || ?::jsonb where id = ?", [
    JSON.stringify({ ...stories, missed }),
    JSON.stringify([{ message: STORY_TEXTS.missed(missed), place: null }]),
    id,
  ]);
  await deleteStoryRecords(em, projectId);
}
