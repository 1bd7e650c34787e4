import type { ReactNode } from "react";
import { configurationTexts } from "../texts/configuration.ts";
import { Field } from "../ui/parts.tsx";
import { type NamedRow, namedRowOf, textOf, thresholdText, viewportsText } from "./draft.ts";
import { type FieldFailure, failureAt } from "./failures.ts";
import { removeRow, replaceRow } from "./rows.ts";

interface RecordEditorProps {
  id: string;
  title: string;
  about: string;
  /** Name of an item's field for its name. */
  nameLabel: string;
  add: string;
  titleOf: (name: string) => string;
  rows: readonly NamedRow[];
  /** Fields of an item that `children` shows. */
  shown: readonly string[];
  failures: readonly FieldFailure[];
  onChange: (rows: NamedRow[]) => void;
  children: (row: NamedRow, edit: RowEdit) => ReactNode;
}

/** How the fields of an item are shown and changed. */
export interface RowEdit {
  /** Path of the item in the configuration. */
  path: string;
  failures: readonly FieldFailure[];
  change: (row: NamedRow) => void;
  /** Sets a field. */
  set: (name: string, value: unknown) => void;
}

/** Edits the items of a record: environments, sessions, or routes. */
export function RecordEditor(props: RecordEditorProps) {
  const { id, title, about, nameLabel, add, titleOf, rows, shown, failures, onChange, children } = props;
  return (
    <section aria-labelledby={id} className="section">
      <h2 id={id}>{title}</h2>
      <p className="about">{about}</p>
      {rows.map(row => {
        const path = `${id}.${row.name.trim()}`;
        const change = (changed: NamedRow) => onChange(replaceRow(rows, changed));
        const set = (name: string, value: unknown) =>
          change({ ...row, fields: { ...row.fields, [name]: value } });
        const others = Object.keys(row.fields).filter(name => !shown.includes(name));
        const own = failures.find(each => each.path === `configuration.${path}`)?.message;
        return (
          <fieldset key={row.key} className="item">
            <legend>{titleOf(row.name)}</legend>
            <div className="row-fields">
              <Field label={nameLabel} failure={own}>
                <input
                  value={row.name}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={event => change({ ...row, name: event.currentTarget.value })}
                />
              </Field>
            </div>
            {children(row, { path, failures, change, set })}
            {others.length > 0 && <p className="hint">{configurationTexts.otherFields(others)}</p>}
            <button type="button" onClick={() => onChange(removeRow(rows, row))}>
              {configurationTexts.removeOf(titleOf(row.name))}
            </button>
          </fieldset>
        );
      })}
      <button type="button" className="add" onClick={() => onChange([...rows, namedRowOf("")])}>
        {add}
      </button>
    </section>
  );
}

interface TextFieldProps {
  row: NamedRow;
  edit: RowEdit;
  name: string;
  label: string;
  hint?: string;
}

/** Edits a text of an item. */
export function TextField({ row, edit, name, label, hint }: TextFieldProps) {
  return (
    <Field label={label} failure={failureAt(edit.failures, `${edit.path}.${name}`)} {...(hint && { hint })}>
      <input
        value={fieldText(name, row.fields[name])}
        autoComplete="off"
        spellCheck={false}
        onChange={event => edit.set(name, event.currentTarget.value)}
      />
    </Field>
  );
}

function fieldText(name: string, value: unknown): string {
  if (name === "viewports") return viewportsText(value);
  if (name === "threshold") return thresholdText(value);
  return Array.isArray(value) ? value.join(", ") : textOf(value);
}

/** Edits a list of an item, with one value per line. */
export function LinesField({ row, edit, name, label, hint }: TextFieldProps) {
  const value = row.fields[name];
  return (
    <Field label={label} failure={failureAt(edit.failures, `${edit.path}.${name}`)} {...(hint && { hint })}>
      <textarea
        rows={2}
        value={Array.isArray(value) ? value.join("\n") : textOf(value)}
        spellCheck={false}
        onChange={event => edit.set(name, event.currentTarget.value)}
      />
    </Field>
  );
}

interface ChoiceFieldProps extends Omit<TextFieldProps, "hint"> {
  options: readonly string[];
  /** The choice of no value. */
  none: string;
}

/** Edits a field with few values. */
export function ChoiceField({ row, edit, name, label, options, none }: ChoiceFieldProps) {
  return (
    <Field label={label} failure={failureAt(edit.failures, `${edit.path}.${name}`)}>
      <Choice
        value={textOf(row.fields[name])}
        options={options}
        none={none}
        onChange={value => edit.set(name, value)}
      />
    </Field>
  );
}

interface ChoiceProps {
  value: string;
  options: readonly string[];
  none: string;
  onChange: (value: string) => void;
  id?: string;
}

/** Renders a select. A value that is no option stays selected, so that nothing changes by itself. */
export function Choice({ value, options, none, onChange, ...aria }: ChoiceProps) {
  const all = value === "" || options.includes(value) ? options : [...options, value];
  return (
    <select {...aria} value={value} onChange={event => onChange(event.currentTarget.value)}>
      <option value="">{none}</option>
      {all.map(option => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}
