import type { RunView } from "../../shared/contracts/http.ts";

const PARTS = ["changed", "new", "removed", "failed", "unchanged"] as const;

/** A run's screenshots by status, as one segmented bar; what is not decided yet is empty. */
export function CountsBar({ run: { counts, progress } }: { run: Pick<RunView, "counts" | "progress"> }) {
  const known = PARTS.map(name => ({ name, size: counts[name] })).filter(part => part.size > 0);
  const done = known.reduce((sum, part) => sum + part.size, 0);
  const total = Math.max(done, progress.total + counts.removed, 1);
  const pending = total - done;
  const label = [
    ...known.map(part => `${part.size} ${part.name}`),
    ...(pending > 0 ? [`${pending} pending`] : []),
  ];
  let x = 0;
  return (
    <svg
      className="bar"
      viewBox={`0 0 ${total} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label.join(", ")}
    >
      {known.map(({ name, size }) => {
        x += size;
        return <rect key={name} data-standing={name} x={x - size} y="0" width={size} height="1" />;
      })}
      {pending > 0 && <rect data-standing="pending" x={x} y="0" width={pending} height="1" />}
    </svg>
  );
}
