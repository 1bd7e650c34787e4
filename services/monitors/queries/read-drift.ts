import { databaseTime } from "../../../mixins/database.ts";
import {
  type DriftLine,
  type DriftView,
  SERIES_POINTS,
  type SeriesQuery,
} from "../../../shared/contracts/monitors/monitor-series.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { namedRun } from "../checks/named-run.rule.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { projectOf } from "../settings/baseline-project.ts";
import { monitorOf } from "./read-monitors.ts";
import { findPagePoints, findStretches, type PagePoint, type Stretch } from "./series.store.ts";

/** Pages that are looked into for one chart, of all checks together: a quarter of a second's work or so. */
const LOOKS_AT_MOST = 50_000;
const DAY_SECONDS = 86_400;

/**
 * How far a monitor's pages were from their baselines, for as many days back. Of the checks of a stretch each page has its
 * largest difference; where pages and checks are very many, that of the checks that found the most.
 * @throws ServiceError not_found
 */
export async function readDrift(
  context: MonitorsContext,
  caller: Caller,
  id: string,
  { days }: SeriesQuery,
): Promise<DriftView> {
  const monitor = await monitorOf(context, caller, id);
  const seconds = Math.ceil((days * DAY_SECONDS) / SERIES_POINTS);
  const span = { monitorId: id, project: projectOf(id, monitor.generation), days, seconds };
  const pages = monitor.routes.length * monitor.viewports.length;
  const [now, stretches, points] = await Promise.all([
    databaseTime(context.em()),
    findStretches(context.em(), span),
    findPagePoints(context.em(), span, Math.max(1, Math.floor(LOOKS_AT_MOST / (SERIES_POINTS * pages)))),
  ]);
  return {
    from: new Date(now.getTime() - days * DAY_SECONDS * 1_000).toISOString(),
    to: now.toISOString(),
    stretchSeconds: seconds,
    threshold: monitor.alertThreshold,
    stretches: stretches.map(viewOf),
    pages: linesOf(points, stretches),
  };
}

function viewOf(stretch: Stretch): DriftView["stretches"][number] {
  const { at, checks, changed, down, failed, id } = stretch;
  return {
    ...{ checks, changed, down, failed, checkId: id },
    at: new Date(at).toISOString(),
    runId: namedRun(stretch),
  };
}

/** One line a page and width, with a value or none for each stretch; those that differed most at first. */
function linesOf(points: PagePoint[], stretches: Pick<Stretch, "place">[]): DriftLine[] {
  const indexOf = new Map(stretches.map(({ place }, index) => [place, index]));
  const lines = new Map<string, DriftLine & { most: number }>();
  for (const { route, viewport, place, ratio } of points) {
    const key = `${viewport} ${route}`;
    const line = lines.get(key) ?? { route, viewport, ratios: stretches.map(() => null), most: 0 };
    lines.set(key, line);
    const index = indexOf.get(place);
    // A check that ended between the two questions.
    if (index === undefined) continue;
    line.ratios[index] = ratio;
    line.most = Math.max(line.most, ratio ?? 0);
  }
  return [...lines.values()]
    .sort((a, b) => b.most - a.most || a.route.localeCompare(b.route, "en") || a.viewport - b.viewport)
    .map(({ most: _most, ...line }) => line);
}
