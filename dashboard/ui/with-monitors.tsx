import type { WithMonitors as Asked } from "../place.ts";

interface WithMonitorsProps {
  label: string;
  asked: Asked["monitors"];
  onChange: (asked: Asked) => void;
}

/** A checkbox for including runs of monitors, which are the majority. */
export function WithMonitors({ label, asked, onChange }: WithMonitorsProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={asked === "1"}
        onChange={event => onChange(event.currentTarget.checked ? { monitors: "1" } : {})}
      />
      {label}
    </label>
  );
}
