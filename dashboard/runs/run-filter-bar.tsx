import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { monitorOfProject } from "../../shared/monitor-project.ts";
import type { RunFilters } from "../location-filters.ts";
import { navigate } from "../navigation.tsx";
import { commonTexts, conclusionNames, runStatusNames } from "../texts/common.ts";
import { runsTexts } from "../texts/runs/runs.ts";
import { useFieldText } from "../ui/hooks/use-field-text.ts";
import { WithMonitors } from "../ui/with-monitors.tsx";

interface Choice {
  label: string;
  filters: Pick<RunFilters, "status" | "conclusion" | "needsReview">;
}

/** Statuses and conclusions in one list, as users look for them. */
const CHOICES: readonly Choice[] = [
  { label: runsTexts.all, filters: {} },
  { label: conclusionNames.changed, filters: { needsReview: "1" } },
  { label: conclusionNames.new, filters: { conclusion: "new" } },
  { label: conclusionNames.passed, filters: { conclusion: "passed" } },
  { label: conclusionNames.approved, filters: { conclusion: "approved" } },
  { label: conclusionNames.rejected, filters: { conclusion: "rejected" } },
  { label: runStatusNames.queued, filters: { status: "queued" } },
  { label: runStatusNames.rendering, filters: { status: "rendering" } },
  { label: runStatusNames.comparing, filters: { status: "comparing" } },
  { label: runStatusNames.completed, filters: { status: "completed" } },
  { label: runStatusNames.failed, filters: { status: "failed" } },
  { label: runStatusNames.canceled, filters: { status: "canceled" } },
];

/** Shows the filters of the list. They are in the URL, so that it can be shared. */
export function RunFilterBar({ filters, runs }: { filters: RunFilters; runs: RunView[] }) {
  const { project, branch } = filters;
  const change = (changed: RunFilters) => navigate({ page: "runs", filters: changed });
  const chosen = choiceOf(filters);
  const { status: _status, conclusion: _conclusion, needsReview: _needsReview, ...others } = filters;
  const projects = [...new Set(runs.map(run => run.project))].filter(name => !monitorOfProject(name));
  const branches = [...new Set(runs.flatMap(run => run.branch ?? []))];
  return (
    <search className="run-filters" aria-label={runsTexts.filter}>
      <label>
        <span className="field-label">{runsTexts.status}</span>
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
        field="project"
        label={runsTexts.project}
        value={project}
        known={projects}
        onChange={name => change(withName(filters, "project", name))}
      />
      <NameFilter
        field="branch"
        label={runsTexts.branch}
        value={branch}
        known={branches}
        onChange={name => change(withName(filters, "branch", name))}
      />
      <WithMonitors
        label={runsTexts.includeChecks}
        value={filters.monitors}
        onChange={asked => {
          const { monitors: _before, ...rest } = filters;
          change({ ...rest, ...asked });
        }}
      />
      {Object.keys(filters).length > 0 && (
        <button type="button" onClick={() => change({})}>
          {commonTexts.clearFilters}
        </button>
      )}
    </search>
  );
}

/** Returns the index of the choice that the filters have; -1 for none. */
function choiceOf(filters: RunFilters): number {
  return CHOICES.findIndex(
    ({ filters: { status, conclusion, needsReview } }) =>
      status === filters.status && conclusion === filters.conclusion && needsReview === filters.needsReview,
  );
}

/** Returns the filters in words, such as `Needs review · acme/shop · main`. */
export function nameOfFilters(filters: RunFilters): string {
  const { project, branch, monitors } = filters;
  const index = choiceOf(filters);
  const choice = index > 0 ? CHOICES[index]?.label : undefined;
  const parts = [choice, project, branch, monitors && runsTexts.includeChecks];
  return parts.filter(part => part !== undefined && part !== "").join(" · ");
}

function withName(filters: RunFilters, field: "project" | "branch", name: string): RunFilters {
  const { [field]: _before, ...rest } = filters;
  return name === "" ? rest : { ...rest, [field]: name };
}

/**
 * Returns whether a field received a whole text, as from its suggestions. Browsers report no key for that.
 */
function isPick(event: Event): boolean {
  return !(event instanceof InputEvent && event.inputType) || event.inputType === "insertReplacementText";
}

interface NameFilterProps {
  field: "project" | "branch";
  label: string;
  value: string | undefined;
  known: string[];
  onChange: (name: string) => void;
}

/**
 * A field for a whole name, with suggestions, since the service matches whole names. Enter, Tab, a chosen
 * suggestion or clearing the field applies it. A click elsewhere doesn't, since it may be meant for a run
 * that the filter would remove under the pointer.
 */
function NameFilter({ field, label, value = "", known, onChange }: NameFilterProps) {
  const listId = `known-${field}`;
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
          placeholder={runsTexts.anyName}
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
