import { databaseTime, type EntityManager } from "../../../mixins/database.ts";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { Review } from "../reviews/review.store.ts";
import { countingReviews } from "../reviews/review-state.rule.ts";
import type { Run } from "../run.entity.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { addDays, flakeScore, SCORED_DAYS } from "./flake-score.rule.ts";
import {
  countCaptures,
  findNoisyPagesOfRun,
  findPageDays,
  noteFalseAlarms,
  noteRejectedAsNoise,
  noteUnstable,
  writeScores,
} from "./noise.store.ts";

/** Records the noise in an ended run, and scores its pages. Call it once per run, in the transaction that ends it. */
export async function noteNoiseOfRun(em: EntityManager, run: Run): Promise<void> {
  await noteUnstable(em, run);
  if (run.kind === "null-rerun") await noteFalseAlarms(em, run);
  await countCaptures(em, run);
  await scorePages(em, run);
}

async function scorePages(em: EntityManager, run: Run): Promise<void> {
  const today = dayOf(await databaseTime(em));
  const since = addDays(today, -SCORED_DAYS);
  const pages = await findNoisyPagesOfRun(em, run, since);
  if (pages.length === 0) return;
  const days = Map.groupBy(await findPageDays(em, run.projectId, pages, since), keyOf);
  const scores = pages.map(page => ({ ...page, score: flakeScore(days.get(keyOf(page)) ?? [], today) }));
  await writeScores(em, run.id, scores);
}

/**
 * Updates the observations of these screenshots from their reviews. A screenshot is noise as long as one rejection as
 * noise counts.
 */
export async function noteNoiseOfReviews(
  em: EntityManager,
  run: Run,
  screenshots: Screenshot[],
  reviews: Map<string, Review[]>,
): Promise<void> {
  const touched = screenshots.filter(({ id }) => reviews.get(id)?.some(({ noise }) => noise));
  const isNoise = ({ id }: Screenshot) => countingReviews(reviews.get(id) ?? []).some(({ noise }) => noise);
  const ids = Map.groupBy(touched, isNoise);
  const idsOf = (noise: boolean) => (ids.get(noise) ?? []).map(({ id }) => id);
  await noteRejectedAsNoise(em, run, { noise: idsOf(true), others: idsOf(false) });
}

/** Returns the date of a time in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
