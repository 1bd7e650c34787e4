import type { UptimeSeries, UptimeView } from "../../../shared/contracts/monitors/availability.ts";
import { shortMoment } from "../../texts/format.ts";
import { uptimeTexts } from "../../texts/monitors/uptime.ts";
import { slotsOf } from "./uptime-slots.rule.ts";

const WIDTH = 360;
const BAR_HEIGHT = 18;
const LINE_TOP = 22;
const LINE_HEIGHT = 22;
const HEIGHT = LINE_TOP + LINE_HEIGHT;
/** Largest gap between bars, px. Many bars have none. */
const GAP = 1;

interface UptimeChartProps {
  name: string;
  view: UptimeView;
  series: UptimeSeries;
  /** Uptime and response time of the period, in words. */
  uptime: string;
  response: string;
}

/** Draws each hour or day as a bar, red for the share of checks that were down, above the response time. */
export function UptimeChart({ name, view, series, uptime, response }: UptimeChartProps) {
  const slots = slotsOf(view, series.points);
  const width = WIDTH / slots.length;
  const slowest = Math.max(1, ...series.points.map(({ responseMs }) => responseMs ?? 0));
  const y = (ms: number) => LINE_TOP + LINE_HEIGHT - 1 - (ms / slowest) * (LINE_HEIGHT - 2);
  return (
    <svg
      className="uptime-chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={uptimeTexts.chart(name, uptime, response)}
    >
      {slots.map(({ at, point }, index) => {
        const checks = point ? point.up + point.down : 0;
        const down = point && checks > 0 ? point.down / checks : 0;
        const box = { x: index * width, width: Math.max(0.8, width - Math.min(GAP, width / 4)) };
        const time = shortMoment(new Date(at));
        return (
          <g key={at}>
            <title>
              {point && checks > 0
                ? uptimeTexts.point(time, checks, point.down, point.responseMs)
                : uptimeTexts.none(time)}
            </title>
            <rect {...box} y={0} height={BAR_HEIGHT} className={checks > 0 ? "is-up" : "is-unknown"} />
            {down > 0 && (
              // Also a short downtime is visible.
              <rect {...box} y={0} height={Math.max(4, BAR_HEIGHT * down)} className="is-down" />
            )}
            {point?.responseMs != null && (
              <rect
                {...box}
                y={y(point.responseMs)}
                height={LINE_TOP + LINE_HEIGHT - y(point.responseMs)}
                className="is-response"
              />
            )}
          </g>
        );
      })}
    </svg>
  );
}
