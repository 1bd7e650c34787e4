import type { AlertsView } from "../../../shared/contracts/monitors/alerts.ts";
import type { DriftView } from "../../../shared/contracts/monitors/monitor-series.ts";
import { chartTexts } from "../../texts/monitors/monitors.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Box, Scale } from "./drift-scale.ts";

const DISPLAY_STATUSES = { changed: "changed", down: "failed", recovered: "approved" } as const;
/** A snooze that is shorter than this on the chart would be invisible. */
const MIN_PX = 2;
const FLAG_PX = 14;
/** If flags overlap, a problem is shown before a recovery. */
const FLAGS_FIRST = ["down", "changed", "recovered"] as const;

/** Explains the marks that occur in a chart. */
export function Legend({ drift, alerts }: { drift: DriftView; alerts: AlertsView | undefined }) {
  const kinds = new Set(alerts?.alerts.map(({ kind }) => kind));
  return (
    <p className="legend">
      <span>
        <svg width="20" height="8" aria-hidden="true" className="chart">
          <line className="threshold" x1="0" x2="20" y1="4" y2="4" />
        </svg>
        {chartTexts.threshold}
      </span>
      {(["changed", "down", "recovered"] as const).map(kind =>
        kinds.has(kind) ? (
          <span key={kind} className="alert-mark" data-standing={DISPLAY_STATUSES[kind]}>
            <Icon name={DISPLAY_STATUSES[kind]} />
            <span className="quiet">{chartTexts.alertKinds[kind]}</span>
          </span>
        ) : null,
      )}
      {alerts && alerts.snoozes.length > 0 && (
        <span>
          <svg width="20" height="12" aria-hidden="true">
            <rect fill="url(#snoozed)" width="20" height="12" />
          </svg>
          {chartTexts.snoozed}
        </span>
      )}
      {drift.maintenance.length > 0 && (
        <span>
          <svg width="20" height="12" aria-hidden="true">
            <rect className="maintenance-mark" width="20" height="12" />
          </svg>
          {chartTexts.maintenance}
        </span>
      )}
      {drift.stretches.some(({ down }) => down > 0) && (
        <span>
          <svg width="4" height="8" aria-hidden="true">
            <rect className="down-mark" width="4" height="8" />
          </svg>
          {chartTexts.down}
        </span>
      )}
    </p>
  );
}

type Alert = AlertsView["alerts"][number];

interface MarksProps {
  drift: DriftView;
  alerts: AlertsView | undefined;
  scale: Scale;
  box: Box;
}

/**
 * Draws maintenance and snoozes as bands, alerts and recoveries as flags on top, and times without a response at the bottom.
 */
export function ChartMarks({ drift, alerts, scale, box }: MarksProps) {
  const ground = box.top + box.height;
  const right = box.left + box.width;
  const within = (iso: string) => Math.min(right, Math.max(box.left, scale.x(Date.parse(iso))));
  const flagged = withRoom(alerts?.alerts ?? [], within);
  return (
    <>
      <defs>
        <pattern
          id="snoozed"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <line className="hatch" x1="0" x2="0" y1="0" y2="6" />
        </pattern>
      </defs>
      {drift.maintenance.map(({ title, from, until }) => (
        <rect
          key={`${title} ${from}`}
          className="maintenance-mark"
          x={within(from)}
          y={box.top}
          width={Math.max(MIN_PX, within(until) - within(from))}
          height={box.height}
        >
          <title>{title}</title>
        </rect>
      ))}
      {alerts?.snoozes.map(({ from, until }) => (
        <rect
          key={from}
          fill="url(#snoozed)"
          x={within(from)}
          y={box.top}
          width={Math.max(MIN_PX, within(until) - within(from))}
          height={box.height}
        />
      ))}
      {drift.stretches.map(({ at, down }) =>
        down === 0 ? null : (
          <rect key={at} className="down-mark" x={within(at) - 1.5} y={ground - 5} width="3" height="5" />
        ),
      )}
      {alerts?.alerts.map(alert => {
        const { at, kind, checkId } = alert;
        const x = within(at);
        return (
          <g key={`${checkId} ${kind} ${at}`} className="alert-mark" data-standing={DISPLAY_STATUSES[kind]}>
            <line x1={x} x2={x} y1={box.top - 2} y2={ground} />
            {flagged.has(alert) && (
              <use
                href={`#icon-${DISPLAY_STATUSES[kind]}`}
                x={x - FLAG_PX / 2}
                y={box.top - 18}
                width={FLAG_PX}
                height={FLAG_PX}
              />
            )}
          </g>
        );
      })}
    </>
  );
}

/** Returns the alerts whose flags don't overlap. */
function withRoom(alerts: Alert[], xOf: (at: string) => number): Set<Alert> {
  const drawn = new Map<Alert, number>();
  for (const first of FLAGS_FIRST) {
    for (const alert of alerts.filter(({ kind }) => kind === first)) {
      const x = xOf(alert.at);
      if (drawn.values().every(other => Math.abs(other - x) > FLAG_PX)) drawn.set(alert, x);
    }
  }
  return new Set(drawn.keys());
}
