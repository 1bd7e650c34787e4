import type { RunView } from "../../shared/contracts/http.ts";
import { monitorOfProject } from "../../shared/monitor-project.ts";
import { goTo } from "../location.tsx";
import type { RunFilters } from "../place.ts";
import { useFieldText } from "../ui/use-field-text.ts";
import { WithMonitors } from "../ui/with-monitors.tsx";

interface Choice {
  label: string;
  filters: Pick<RunFilters, "status" | "conclusion">;
}

/** What people look for, in their words. */
const CHOICES: readonly Choice[] = [
  { label: "All", filters: {} },
  { label: "Needs review", filters: { conclusion: "changed" } },
  { label: "New", filters: { conclusion: "new" } },
  { label: "Passed", filters: { conclusion: "passed" } },
  { label: "Approved", filters: { conclusion: "approved" } },
  { label: "Rejected", filters: { conclusion: "rejected" } },
  { label: "Queued", filters: { status: "queued" } },
  { label: "Rendering", filters: { status: "rendering" } },
  { label: "Comparing", filters: { status: "comparing" } },
  { label: "Completed", filters: { status: "completed" } },
  { label: "Failed", filters: { status: "failed" } },
  { label: "Canceled", filters: { status: "canceled" } },
];

/** What the list is narrowed to; it is in the address, so that it can be sent to somebody. */
export function RunFilterBar({ filters, runs }: { filters: RunFilters; runs: RunView[] }) {
  const { project, branch } = filters;
  const change = (changed: RunFilters) => goTo({ page: "runs", filters: changed });
  const chosen = CHOICES.findIndex(
    choice => choice.filters.status === filters.status && choice.filters.conclusion === filters.conclusion,
  );
  const { status: _status, conclusion: _conclusion, ...others } = filters;
  const projects = [...new Set(runs.map(run => run.project))].filter(name => !monitorOfProject(name));
  const branches = [...new Set(runs.flatMap(run => run.branch ?? []))];
  return (
    <search className="run-filters" aria-label="Filter the runs">
      <label>
        <span className="field-label">Show</span>
        <select
          value={chosen}
          onChange={event => change({ ...others, ...CHOICES[Number(event.currentTarget.value)]?.filters })}
        >
          {CHOICES.map(({ label }, index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <NameFilter
        label="Project"
        value={project}
        known={projects}
        onChange={name => change(withName(filters, "project", name))}
      />
      <NameFilter
        label="Branch"
        value={branch}
        known={branches}
        onChange={name => change(withName(filters, "branch", name))}
      />
      <WithMonitors
        label="With monitors’ checks"
        asked={filters.monitors}
        onChange={asked => {
          const { monitors: _before, ...rest } = filters;
          change({ ...rest, ...asked });
        }}
      />
      {Object.keys(filters).length > 0 && (
        <button type="button" onClick={() => change({})}>
          Clear
        </button>
      )}
    </search>
  );
}

function withName(filters: RunFilters, field: "project" | "branch", name: string): RunFilters {
  const { [field]: _before, ...rest } = filters;
  return name === "" ? rest : { ...rest, [field]: name };
}

/** Whether a whole text came into a field, as from its list: browsers name no key for that. */
function isPick(event: Event): boolean {
  return !(event instanceof InputEvent && event.inputType) || event.inputType === "insertReplacementText";
}

interface NameFilterProps {
  label: string;
  value: string | undefined;
  known: string[];
  onChange: (name: string) => void;
}

/**
 * A whole name, as the service filters by it; the names in the list are offered. The list of runs is narrowed to it
 * with Enter or Tab, or at once where a name was picked or taken away; not by a click elsewhere, which may be meant for
 * a run that the list would take away under the pointer.
 */
function NameFilter({ label, value = "", known, onChange }: NameFilterProps) {
  const listId = `known-${label.toLowerCase()}`;
  const [text, setText] = useFieldText(value);
  const apply = (name: string) => {
    if (name !== value) onChange(name);
  };
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        apply(text.trim());
      }}
    >
      <label>
        <span className="field-label">{label}</span>
        <input
          type="search"
          value={text}
          list={listId}
          placeholder="any"
          autoComplete="off"
          onKeyDown={event => {
            if (event.key === "Tab") apply(text.trim());
          }}
          onChange={event => {
            const name = event.currentTarget.value;
            setText(name);
            if (name === "" || isPick(event.nativeEvent)) apply(name.trim());
          }}
        />
      </label>
      <datalist id={listId}>
        {known.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </form>
  );
}
