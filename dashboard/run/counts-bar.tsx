import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { DISPLAY_STATUSES, type DisplayStatus } from "../../shared/report/display-status.ts";
import type { Tally } from "../../shared/report/tally.ts";
import { commonTexts, statusCount } from "../texts/common.ts";

const STATUSES = ["changed", "new", "removed", "failed", "minor", "unchanged"] as const;

interface Part {
  name: DisplayStatus;
  size: number;
}

/** Shows a run's screenshots by status as a segmented bar, with space for pending ones. */
export function CountsBar({ run }: { run: Pick<RunView, "status" | "counts" | "progress"> }) {
  const { progress } = run;
  const counts = { ...run.counts, removed: isEnded(run.status) ? run.counts.removed : 0 };
  const sizes = { ...counts, unchanged: counts.unchanged - counts.minor };
  const known = STATUSES.map(name => ({ name, size: sizes[name] }));
  const pending = progress.total + counts.removed - sizeOf(known);
  return <Bar parts={[...known, { name: "pending", size: pending }]} />;
}

/** Shows a run's screenshots by review state as a segmented bar. */
export function StatusBar({ tally: { standings } }: { tally: Tally }) {
  return <Bar parts={DISPLAY_STATUSES.map(name => ({ name, size: standings[name] ?? 0 }))} />;
}

function Bar({ parts }: { parts: readonly Part[] }) {
  const shown = parts.filter(({ size }) => size > 0);
  let x = 0;
  return (
    <svg
      className="bar"
      viewBox={`0 0 ${Math.max(1, sizeOf(shown))} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={
        shown.map(({ name, size }) => statusCount(name, size)).join(", ") || commonTexts.noScreenshots
      }
    >
      {shown.map(({ name, size }) => {
        x += size;
        return <rect key={name} data-standing={name} x={x - size} y="0" width={size} height="1" />;
      })}
    </svg>
  );
}

function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { size }) => sum + size, 0);
}
