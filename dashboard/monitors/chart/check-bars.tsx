import type { RecentCheck } from "../../../shared/contracts/monitors/checks.ts";
import { recentChecksText } from "../../texts/monitors/monitors.ts";
import { outcomeBadge } from "../monitor-status.ts";
import { barsOf, RECENT_CHECKS_SHOWN } from "./drift-scale.ts";

const WIDTH_PX = 180;
const HEIGHT_PX = 28;

/** Draws the last checks as bars: the largest difference of each, in the color of its outcome. */
export function CheckBars({ checks, threshold }: { checks: readonly RecentCheck[]; threshold: number }) {
  const bars = barsOf(checks, threshold);
  return (
    <svg
      className="check-bars"
      viewBox={`0 0 ${WIDTH_PX} ${HEIGHT_PX}`}
      role="img"
      aria-label={recentChecksText(checks)}
    >
      <line className="bars-ground" x1="0" x2={WIDTH_PX} y1={HEIGHT_PX - 0.5} y2={HEIGHT_PX - 0.5} />
      {bars.map(({ id, outcome, position, share }) => (
        <rect
          key={id}
          data-standing={outcomeBadge(outcome).name}
          data-outcome={outcome}
          x={position * WIDTH_PX}
          y={HEIGHT_PX * (1 - share)}
          width={WIDTH_PX / RECENT_CHECKS_SHOWN - 2}
          height={HEIGHT_PX * share}
          rx="1"
        />
      ))}
    </svg>
  );
}
