import { useId } from "react";
import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import type { ProjectView } from "../../shared/contracts/runs/projects.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { subjectOf } from "../runs/run-row.tsx";
import { moment } from "../texts/format.ts";
import { compareTexts } from "../texts/runs/compare.ts";
import { Field } from "../ui/parts.tsx";
import { SIDE_KINDS, type SideChoice, type SideKind } from "./side-choice.ts";

/** What can be chosen. Undefined while it loads. */
interface Choices {
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

interface ListFieldProps {
  label: string;
  hint?: string;
  value: string;
  options: readonly { value: string; label?: string }[];
  onChange: (value: string) => void;
}

/** A field with suggestions. Other values can be typed, too. */
function ListField({ label, hint, value, options, onChange }: ListFieldProps) {
  const list = useId();
  return (
    <>
      <Field label={label} {...(hint !== undefined && { hint })}>
        <input
          type="search"
          list={list}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={event => onChange(event.currentTarget.value)}
        />
      </Field>
      <datalist id={list}>
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </datalist>
    </>
  );
}

function RunField({ choice, runs, set }: FieldsProps & { runs: readonly RunView[] }) {
  const known = runs.find(({ id }) => id === choice.run.trim());
  return (
    <ListField
      label={compareTexts.run}
      hint={known ? labelOf(known) : compareTexts.runHint}
      value={choice.run}
      options={runs.map(run => ({ value: run.id, label: labelOf(run) }))}
      onChange={run => set({ run })}
    />
  );
}

function labelOf(run: RunView): string {
  return `${run.project} · ${subjectOf(run)} · ${moment(new Date(run.createdAt))}`;
}

function BranchFields({ choice, projects, set }: FieldsProps & { projects: readonly ProjectView[] }) {
  const project = projects.find(({ name }) => name === choice.project.trim());
  return (
    <>
      <ListField
        label={compareTexts.project}
        value={choice.project}
        options={projects.map(({ name }) => ({ value: name }))}
        onChange={name => set({ project: name })}
      />
      <ListField
        label={compareTexts.branch}
        value={choice.branch}
        options={(project?.branches ?? []).map(value => ({ value }))}
        onChange={value => set({ branch: value })}
      />
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
