import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { AlertsView } from "../../../shared/contracts/monitors/alerts.ts";
import type { DriftLine, DriftView } from "../../../shared/contracts/monitors/monitor-series.ts";
import { formatThreshold, percent } from "../../../shared/text/format.ts";
import { Link, navigate } from "../../navigation.tsx";
import { commonTexts } from "../../texts/common.ts";
import { dayOfAxis, hourOfAxis, moment } from "../../texts/format.ts";
import { chartTexts, stretchText } from "../../texts/monitors/monitors.ts";
import { fill } from "../../ui/fill.ts";
import { ChartMarks, Legend } from "./chart-marks.tsx";
import { differenceAt } from "./difference-at.ts";
import { nearestTo, pathOf, type Scale, scaleOf } from "./drift-scale.ts";

const HEIGHT_PX = 240;
const MARGIN = { left: 52, right: 12, top: 24, bottom: 28 };
const START_WIDTH_PX = 800;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface DriftChartProps {
  drift: DriftView;
  alerts: AlertsView | undefined;
  /** The page in front of the others. */
  front: DriftLine;
  intervalMinutes: number;
}

/**
 * Draws the differences of all pages as lines, with the selected one in front. The threshold is a line, and
 * alerts and snoozes are marks. A cursor follows the pointer or the arrow keys. Enter or the link below opens
 * the run of a check. The cursor stays when the pointer leaves. A press also keeps it while the pointer moves
 * to the link.
 */
export function DriftChart({ drift, alerts, front, intervalMinutes }: DriftChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [at, setAt] = useState<string | null>(null);
  const isPinned = useRef(false);
  const { stretches } = drift;
  const last = stretches.length - 1;
  // In other data, the same time may belong to another stretch.
  const index = at === null ? last : nearestTo(Date.parse(at), stretches, ms => ms);
  const box = {
    left: MARGIN.left,
    top: MARGIN.top,
    width: width - MARGIN.left - MARGIN.right,
    height: HEIGHT_PX - MARGIN.top - MARGIN.bottom,
  };
  const scale = scaleOf(drift, box);
  const shown = stretches[index];
  const intervalMs = Math.max(drift.stretchSeconds, intervalMinutes * 60) * 1_000;
  const words = shown
    ? chartTexts.pointText(moment(new Date(shown.at)), differenceAt(front, index), stretchText(shown))
    : "";
  const moveTo = (to: number) => setAt(stretches[to]?.at ?? null);
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    moveTo(nearestTo(event.clientX - left, stretches, scale.x));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = keyTarget(event.key, index, last);
    if (event.key === "Enter" && shown) navigate({ page: "run", id: shown.runId });
    if (to === null) return;
    event.preventDefault();
    moveTo(to);
  };
  return (
    <>
      <div
        ref={frame}
        className="chart-frame"
        role="slider"
        tabIndex={0}
        aria-label={chartTexts.label(front)}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index}
        aria-valuetext={words}
        onPointerEnter={() => {
          isPinned.current = false;
        }}
        onPointerMove={event => {
          if (!isPinned.current || event.buttons > 0) follow(event);
        }}
        onPointerDown={event => {
          isPinned.current = true;
          follow(event);
        }}
        onKeyDown={onKeyDown}
      >
        <svg width={width} height={HEIGHT_PX} className="chart" aria-hidden="true">
          <ChartMarks drift={drift} alerts={alerts} scale={scale} box={box} />
          <Axes drift={drift} scale={scale} box={box} />
          {drift.pages.map(page => (
            <path
              key={keyOf(page)}
              className={page === front ? "line front" : "line"}
              d={pathOf(page.ratios, stretches, scale, intervalMs)}
            />
          ))}
          {/* Drawn again, so that no other line covers it. */}
          <path className="line front" d={pathOf(front.ratios, stretches, scale, intervalMs)} />
          <Over front={front} drift={drift} scale={scale} />
          {shown && at !== null && (
            <line
              className="cross"
              x1={scale.x(Date.parse(shown.at))}
              x2={scale.x(Date.parse(shown.at))}
              y1={box.top}
              y2={box.top + box.height}
            />
          )}
        </svg>
      </div>
      <p className="chart-read">
        {shown && (
          <>
            <span>
              {fill(chartTexts.point, {
                time: moment(new Date(shown.at)),
                difference: <strong>{differenceAt(front, index)}</strong>,
                page: commonTexts.pageAt(front),
                checks: stretchText(shown),
              })}
            </span>{" "}
            <Link to={{ page: "run", id: shown.runId }}>{chartTexts.openRun}</Link>
          </>
        )}
      </p>
      <Legend drift={drift} alerts={alerts} />
    </>
  );
}

function keyTarget(key: string, index: number, last: number): number | null {
  if (key === "ArrowLeft" || key === "ArrowDown") return Math.max(0, index - 1);
  if (key === "ArrowRight" || key === "ArrowUp") return Math.min(last, index + 1);
  if (key === "Home") return 0;
  return key === "End" ? last : null;
}

interface Drawn {
  drift: DriftView;
  scale: Scale;
  box: { left: number; top: number; width: number; height: number };
}

/** Colors what is over the threshold. */
function Over({ front, drift, scale }: Pick<Drawn, "drift" | "scale"> & { front: DriftLine }) {
  return drift.stretches.map((stretch, index) => {
    const ratio = front.ratios[index] ?? null;
    if (ratio === null || ratio <= drift.threshold) return null;
    return (
      <circle
        key={stretch.at}
        className="over"
        cx={scale.x(Date.parse(stretch.at))}
        cy={scale.y(ratio)}
        r="3"
      />
    );
  });
}

function Axes({ drift, scale, box }: Drawn) {
  const right = box.left + box.width;
  const ground = box.top + box.height;
  return (
    <>
      {scale.ticks.map(tick => (
        <g key={tick}>
          <line className="grid" x1={box.left} x2={right} y1={scale.y(tick)} y2={scale.y(tick)} />
          <text className="tick" x={box.left - 8} y={scale.y(tick) + 4} textAnchor="end">
            {percent(tick)}
          </text>
        </g>
      ))}
      <line className="ground" x1={box.left} x2={right} y1={ground} y2={ground} />
      <text className="tick" x={box.left - 8} y={ground + 4} textAnchor="end">
        {chartTexts.zero}
      </text>
      <line
        className="threshold"
        x1={box.left}
        x2={right}
        y1={scale.y(drift.threshold)}
        y2={scale.y(drift.threshold)}
      />
      <text className="tick rule" x={box.left - 8} y={scale.y(drift.threshold) + 4} textAnchor="end">
        {formatThreshold(drift.threshold)}
      </text>
      {timesOf(drift, box.width).map(({ ms, label }) => (
        <text key={ms} className="tick" x={scale.x(ms)} y={ground + 20} textAnchor="middle">
          {label}
        </text>
      ))}
    </>
  );
}

/** Returns times to label, as many as fit: full hours or minutes of a day, otherwise midnights in the reader's zone. */
function timesOf({ from, to }: DriftView, width: number): { ms: number; label: string }[] {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const isDay = end - start < 2 * DAY_MS;
  const room = Math.max(2, Math.min(10, Math.floor(width / 80)));
  const minutes = minutesApart((end - start) / room);
  const step = Math.ceil((end - start) / (isDay ? HOUR_MS : DAY_MS) / room);
  const at = new Date(start);
  at.setHours(isDay ? at.getHours() : 0, 0, 0, 0);
  const times = [];
  while (at.getTime() <= end) {
    if (at.getTime() >= start) times.push({ ms: at.getTime(), label: (isDay ? hourOfAxis : dayOfAxis)(at) });
    if (!isDay) at.setDate(at.getDate() + step);
    else if (minutes !== null) at.setMinutes(at.getMinutes() + minutes);
    else at.setHours(at.getHours() + step);
  }
  return times;
}

/** Returns the minutes between two labels of a short period; null for full hours. */
function minutesApart(leastMs: number): number | null {
  return [5, 10, 15, 30].find(minutes => minutes * 60_000 >= leastMs) ?? null;
}

/** Returns the width of the chart's frame. */
function useWidth(frame: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(START_WIDTH_PX);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(240, Math.round(entry.contentRect.width)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return width;
}
