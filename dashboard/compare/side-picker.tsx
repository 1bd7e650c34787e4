import { useId } from "react";
import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import type { ProjectView } from "../../shared/contracts/runs/baselines.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { subjectOf } from "../runs/run-row.tsx";
import { compareTexts } from "../texts/compare.ts";
import { moment } from "../texts/format.ts";
import { Field } from "../ui/parts.tsx";
import { SIDE_KINDS, type SideChoice, type SideKind } from "./side-choice.ts";

/** What can be chosen. Undefined while it loads. */
export interface Choices {
  runs: readonly RunView[];
  projects: readonly ProjectView[];
  monitors: readonly MonitorView[];
}

interface SidePickerProps {
  name: string;
  choice: SideChoice;
  choices: Choices | undefined;
  onChange: (choice: SideChoice) => void;
}

const isKind = (value: string): value is SideKind => SIDE_KINDS.some(kind => kind === value);

/** Chooses one side of a comparison. */
export function SidePicker({ name, choice, choices, onChange }: SidePickerProps) {
  const set = (part: Partial<SideChoice>) => onChange({ ...choice, ...part });
  return (
    <fieldset className="side">
      <legend>{name}</legend>
      <Field label={compareTexts.kind}>
        <select
          value={choice.kind}
          onChange={({ currentTarget: { value } }) => isKind(value) && set({ kind: value })}
        >
          {SIDE_KINDS.map(kind => (
            <option key={kind} value={kind}>
              {compareTexts.kinds[kind]}
            </option>
          ))}
        </select>
      </Field>
      {choice.kind === "run" && <RunField choice={choice} runs={choices?.runs ?? []} set={set} />}
      {choice.kind === "branch" && (
        <BranchFields choice={choice} projects={choices?.projects ?? []} set={set} />
      )}
      {choice.kind === "monitor" && (
        <MomentFields choice={choice} monitors={choices?.monitors ?? []} set={set} />
      )}
      {choice.kind !== "monitor" && (
        <Field label={compareTexts.environment} hint={compareTexts.environmentHint}>
          <input
            type="text"
            maxLength={40}
            value={choice.environment}
            onChange={event => set({ environment: event.currentTarget.value })}
          />
        </Field>
      )}
    </fieldset>
  );
}

interface FieldsProps {
  choice: SideChoice;
  set: (part: Partial<SideChoice>) => void;
}

function RunField({ choice, runs, set }: FieldsProps & { runs: readonly RunView[] }) {
  const list = useId();
  const known = runs.find(({ id }) => id === choice.run.trim());
  const hint = known ? labelOf(known) : compareTexts.runHint;
  return (
    <>
      <Field label={compareTexts.run} hint={hint}>
        <input
          type="search"
          list={list}
          autoComplete="off"
          spellCheck={false}
          value={choice.run}
          onChange={event => set({ run: event.currentTarget.value })}
        />
      </Field>
      <datalist id={list}>
        {runs.map(run => (
          <option key={run.id} value={run.id}>
            {labelOf(run)}
          </option>
        ))}
      </datalist>
    </>
  );
}

function labelOf(run: RunView): string {
  return `${run.project} · ${subjectOf(run)} · ${moment(new Date(run.createdAt))}`;
}

function BranchFields({ choice, projects, set }: FieldsProps & { projects: readonly ProjectView[] }) {
  const [names, branches] = [useId(), useId()];
  const project = projects.find(({ name }) => name === choice.project.trim());
  return (
    <>
      <Field label={compareTexts.project}>
        <input
          type="search"
          list={names}
          autoComplete="off"
          spellCheck={false}
          value={choice.project}
          onChange={event => set({ project: event.currentTarget.value })}
        />
      </Field>
      <datalist id={names}>
        {projects.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Field label={compareTexts.branch}>
        <input
          type="search"
          list={branches}
          autoComplete="off"
          spellCheck={false}
          value={choice.branch}
          onChange={event => set({ branch: event.currentTarget.value })}
        />
      </Field>
      <datalist id={branches}>
        {(project?.branches ?? []).map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

function MomentFields({ choice, monitors, set }: FieldsProps & { monitors: readonly MonitorView[] }) {
  if (choice.fixed !== "")
    return (
      <p className="quiet">
        {compareTexts.fixed}{" "}
        <button type="button" onClick={() => set({ fixed: "" })}>
          {compareTexts.chooseOther}
        </button>
      </p>
    );
  const isListed = monitors.some(({ id }) => id === choice.monitor);
  return (
    <>
      <Field label={compareTexts.monitor}>
        <select value={choice.monitor} onChange={event => set({ monitor: event.currentTarget.value })}>
          <option value="">{compareTexts.chooseMonitor}</option>
          {choice.monitor !== "" && !isListed && <option value={choice.monitor}>{choice.monitor}</option>}
          {monitors.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field label={compareTexts.at} hint={compareTexts.atHint}>
        <input
          type="datetime-local"
          value={choice.at}
          onChange={event => set({ at: event.currentTarget.value })}
        />
      </Field>
    </>
  );
}
