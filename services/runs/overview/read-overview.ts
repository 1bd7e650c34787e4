import { databaseTime } from "../../../mixins/database.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import {
  OVERVIEW_BOUNDS,
  type OverviewFigures,
  type OverviewQuery,
  type OverviewView,
} from "../../../shared/contracts/runs/overview.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import { addDays } from "../noise/flake-score.rule.ts";
import { dayOf } from "../noise/note-noise.ts";
import { readFlakiest } from "../noise/read-noise.ts";
import { findProject } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { findFigures, findNoiseByDay, findSlowest, type NoiseFigures } from "./overview.store.ts";

const NO_RUNS: Omit<OverviewFigures, keyof NoiseFigures> = {
  ...{ runs: 0, changed: 0, failed: 0, screenshots: 0, changedScreenshots: 0 },
  medianMs: null,
};
const NO_NOISE: NoiseFigures = { captures: 0, noisyCaptures: 0 };

/** Returns how a project's runs develop, and which pages need attention. @throws ServiceError not_found */
export async function readOverview(
  context: RunsContext,
  { teamId }: Caller,
  { project: name, days }: OverviewQuery,
): Promise<OverviewView> {
  const em = context.em();
  const project = await findProject(em, teamId, name);
  if (!project) throw notFound("project", name);
  const today = dayOf(await databaseTime(em));
  const since = addDays(today, 1 - days);
  const rows = await findFigures(em, project.id, since);
  const byDay = new Map(rows.map(({ day, ...figures }) => [day, figures]));
  const noise = await findNoiseByDay(em, project.id, since);
  const noiseOf = new Map(noise.map(({ day, ...figures }) => [day, figures]));
  const flakiest = await readFlakiest(em, project.id, OVERVIEW_BOUNDS.pages);
  return {
    project: name,
    totals: { ...(byDay.get(null) ?? NO_RUNS), ...sumOf(noise) },
    days: Array.from({ length: days }, (_, index) => {
      const day = addDays(since, index);
      return { day, ...(byDay.get(day) ?? NO_RUNS), ...(noiseOf.get(day) ?? NO_NOISE) };
    }),
    slowest: await findSlowest(em, project.id),
    flakiest: flakiest.map(page => ({ ...pickPage(page), score: page.score })),
  };
}

function sumOf(days: readonly NoiseFigures[]): NoiseFigures {
  return days.reduce(
    (sum, { captures, noisyCaptures }) => ({
      captures: sum.captures + captures,
      noisyCaptures: sum.noisyCaptures + noisyCaptures,
    }),
    NO_NOISE,
  );
}
