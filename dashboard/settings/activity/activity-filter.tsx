import type { TeamView } from "../../../shared/contracts/teams/people.ts";
import { type ActivityFilter, api } from "../../api/client.ts";
import { useMe } from "../../session.tsx";
import { activityNames, activityTexts } from "../../texts/settings/settings.ts";
import { fill } from "../../ui/fill.ts";
import { Field } from "../../ui/parts.tsx";

interface FilterProps {
  team: TeamView;
  filter: ActivityFilter;
  onChange: (filter: ActivityFilter) => void;
}

/** Filters a team's activity by type and date. Admins can export what the filter shows. */
export function FilterFields({ team, filter, onChange }: FilterProps) {
  const { may } = useMe();
  const date = (name: "from" | "to") => (
    <input
      type="date"
      value={filter[name]}
      onChange={({ currentTarget }) => onChange({ ...filter, [name]: currentTarget.value })}
    />
  );
  return (
    <div className="line-form">
      <Field label={activityTexts.type}>
        <select
          value={filter.type}
          onChange={({ currentTarget }) => onChange({ ...filter, type: currentTarget.value })}
        >
          <option value="">{activityTexts.allTypes}</option>
          {Object.entries(activityNames).map(([type, name]) => (
            <option key={type} value={type}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field label={activityTexts.from}>{date("from")}</Field>
      <Field label={activityTexts.before}>{date("to")}</Field>
      {may("admin") && (
        <p className="quiet">
          {fill(activityTexts.export, {
            csv: <ExportLink format="csv" {...{ team, filter }} />,
            jsonl: <ExportLink format="jsonl" {...{ team, filter }} />,
          })}
        </p>
      )}
    </div>
  );
}

type ExportProps = Pick<FilterProps, "team" | "filter"> & { format: "csv" | "jsonl" };

function ExportLink({ team, filter, format }: ExportProps) {
  return (
    <a href={api.activityExportUrl(team.id, filter, format)} download>
      {activityTexts[format]}
    </a>
  );
}
