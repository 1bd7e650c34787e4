import { databaseTime } from "../../../mixins/database.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { keyOf, pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import {
  type DriftLine,
  type DriftView,
  MAX_SERIES_POINTS,
  type SeriesQuery,
} from "../../../shared/contracts/monitors/monitor-series.ts";
import { countScreenshots } from "../../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { projectOf } from "../../../shared/monitor-project.ts";
import { runToOpen } from "../checks/evaluate-check.rule.ts";
import { readPastMaintenance } from "../maintenance/manage-maintenance.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { monitorOf } from "./read-monitors.ts";
import { type CheckInterval, findIntervals, findPagePoints, type PagePoint } from "./series.store.ts";

/** Page results that one chart reads, over all checks. They take about a quarter of a second. */
const MAX_PAGE_RESULTS = 50_000;
const DAY_SECONDS = 86_400;

/**
 * Reads how much a monitor's pages differed from their baselines over the last days. Each page has its largest
 * difference per interval. With very many pages and checks, only the checks with the largest differences count.
 * @throws ServiceError not_found
 */
export async function readDrift(
  context: MonitorsContext,
  caller: Caller,
  id: string,
  { days }: SeriesQuery,
): Promise<DriftView> {
  const monitor = await monitorOf(context, caller, id);
  const seconds = Math.ceil((days * DAY_SECONDS) / MAX_SERIES_POINTS);
  const span = { monitorId: id, project: projectOf(id, monitor.generation), days, seconds };
  const pages = countScreenshots(monitor);
  const [now, stretches, points] = await Promise.all([
    databaseTime(context.em()),
    findIntervals(context.em(), span),
    findPagePoints(
      context.em(),
      span,
      Math.max(1, Math.floor(MAX_PAGE_RESULTS / (MAX_SERIES_POINTS * pages))),
    ),
  ]);
  return {
    from: new Date(now.getTime() - days * DAY_SECONDS * 1_000).toISOString(),
    to: now.toISOString(),
    stretchSeconds: seconds,
    threshold: monitor.alertThreshold,
    maintenance: await readPastMaintenance(context, monitor, days, now),
    stretches: stretches.map(viewOf),
    pages: linesOf(points, stretches),
  };
}

function viewOf(stretch: CheckInterval): DriftView["stretches"][number] {
  const { at, checks, changed, down, failed, id } = stretch;
  return {
    ...{ checks, changed, down, failed, checkId: id },
    at: new Date(at).toISOString(),
    runId: runToOpen(stretch),
  };
}

/**
 * Returns one line per page, with a value or null per interval. Lines with the largest difference come
 * first.
 */
function linesOf(points: PagePoint[], stretches: Pick<CheckInterval, "slot">[]): DriftLine[] {
  const indexOf = new Map(stretches.map(({ slot }, index) => [slot, index]));
  const lines = new Map<string, DriftLine & { largest: number }>();
  for (const { slot, ratio, faintPixels, ...point } of points) {
    const key = keyOf(point);
    const line = lines.get(key) ?? {
      ...pickPage(point),
      ...{ ratios: stretches.map(() => null), faintPixels: stretches.map(() => 0), largest: 0 },
    };
    lines.set(key, line);
    const index = indexOf.get(slot);
    // The check ended between the two queries.
    if (index === undefined) continue;
    line.ratios[index] = ratio;
    line.faintPixels[index] = ratio === 0 ? faintPixels : 0;
    line.largest = Math.max(line.largest, ratio ?? 0);
  }
  return [...lines.values()]
    .sort(
      (a, b) =>
        b.largest - a.largest || pageName(a).localeCompare(pageName(b), "en") || a.viewport - b.viewport,
    )
    .map(({ largest: _largest, ...line }) => line);
}
