import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { DriftLine } from "../../../shared/contracts/monitors/monitor-series.ts";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { commonTexts, loadedThings } from "../../texts/common.ts";
import { chartTexts } from "../../texts/monitors/monitors.ts";
import { Problem } from "../../ui/parts.tsx";
import { PageName } from "../../ui/text/page-name.tsx";
import { shortDifference } from "../../ui/text/short-difference.ts";
import { alertsQuery, driftQuery } from "../queries.ts";
import { DriftChart } from "./drift-chart.tsx";
import { pathOf, sinceCreation } from "./drift-scale.ts";
import { DriftTable } from "./drift-table.tsx";
import { openingDays, RANGES } from "./selection.ts";

interface DriftProps {
  monitor: MonitorView;
  chosen: ScreenshotKey | null;
  onChoose: (page: ScreenshotKey) => void;
}

/** Shows the differences from the baselines over time, with one page in front. */
export function Drift({ monitor, chosen, onChoose }: DriftProps) {
  const [days, setDays] = useState(() => openingDays(monitor.createdAt, Date.now()));
  const {
    data: drift,
    error,
    refetch,
  } = useQuery(driftQuery(monitor.id, days, monitor.lastCheck?.id ?? null));
  const { data: alerts } = useQuery(alertsQuery(monitor.id, days));
  const pages = drift?.pages ?? [];
  const front = pages.find(page => isSame(page, chosen)) ?? pages[0];
  const isEmpty = drift !== undefined && drift.stretches.length === 0;
  return (
    <section aria-labelledby="drift" className="section">
      <div className="page-head">
        <h2 id="drift">{chartTexts.title}</h2>
        <fieldset className="ranges">
          <legend className="hidden">{chartTexts.range}</legend>
          {RANGES.map(range => (
            <button
              key={range.days}
              type="button"
              aria-pressed={range.days === days}
              onClick={() => setDays(range.days)}
            >
              {chartTexts.ranges[range.days]}
            </button>
          ))}
        </fieldset>
      </div>
      {error && !drift && <Problem error={error} what={loadedThings.chart} again={refetch} />}
      {!drift && !error && <div className="chart-frame" />}
      {isEmpty && (
        <p className="empty chart-frame">{monitor.lastCheck ? chartTexts.noneInRange : chartTexts.noneYet}</p>
      )}
      {drift && front && (
        <>
          <DriftChart
            drift={sinceCreation(drift, monitor)}
            alerts={alerts}
            front={front}
            intervalMinutes={monitor.intervalMinutes}
          />
          {pages.length > 1 && (
            <PageList pages={pages} stretches={drift.stretches} front={front} onChoose={onChoose} />
          )}
          <DriftTable drift={drift} page={front} />
        </>
      )}
    </section>
  );
}

const isSame = (page: ScreenshotKey, other: ScreenshotKey | null) =>
  other !== null && keyOf(page) === keyOf(other);

const MINI = { width: 96, height: 20 };

interface PageListProps {
  pages: readonly DriftLine[];
  stretches: readonly { at: string }[];
  front: DriftLine;
  onChoose: (page: ScreenshotKey) => void;
}

/** Lists the pages, each with a small line, to choose the one in front. */
function PageList({ pages, stretches, front, onChoose }: PageListProps) {
  return (
    <fieldset className="chart-pages">
      <legend className="hidden">{chartTexts.page}</legend>
      {pages.map(page => {
        const { viewport, ratios } = page;
        const last = ratios.findLastIndex(ratio => ratio !== null);
        return (
          <button
            key={keyOf(page)}
            type="button"
            aria-pressed={page === front}
            onClick={() => onChoose(pickPage(page))}
          >
            <span className="chart-page">
              <PageName page={page} />
              <span className="quiet">{commonTexts.px(viewport)}</span>
            </span>
            <svg viewBox={`0 0 ${MINI.width} ${MINI.height}`} className="mini" aria-hidden="true">
              <path d={miniPath(ratios, stretches.length)} />
            </svg>
            <span className="chart-last">{last === -1 ? chartTexts.noDifference : shortAt(page, last)}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

function shortAt({ ratios, faintPixels }: DriftLine, index: number): string {
  return shortDifference(ratios[index] ?? 0, faintPixels[index]);
}

/** Uses the index of the stretch instead of the time: only the shape matters. */
function miniPath(ratios: readonly (number | null)[], count: number): string {
  const most = Math.max(0.005, ...ratios.map(ratio => ratio ?? 0));
  const stretches = ratios.map((_ratio, index) => ({ at: new Date(index).toISOString() }));
  const x = (ms: number) => 2 + ((MINI.width - 4) * ms) / Math.max(1, count - 1);
  const y = (ratio: number) => MINI.height - 2 - (MINI.height - 4) * Math.sqrt(ratio / most);
  return pathOf(ratios, stretches, { x, y }, 1);
}
