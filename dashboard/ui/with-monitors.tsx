import type { WithMonitors as MonitorFilter } from "../location-filters.ts";

interface WithMonitorsProps {
  label: string;
  value: MonitorFilter["monitors"];
  onChange: (value: MonitorFilter) => void;
}

/** A checkbox for including runs of monitors, which are the majority. */
export function WithMonitors({ label, value, onChange }: WithMonitorsProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={value === "1"}
        onChange={event => onChange(event.currentTarget.checked ? { monitors: "1" } : {})}
      />
      {label}
    </label>
  );
}
