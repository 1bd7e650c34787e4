import { configurationTexts, regionFieldTexts } from "../texts/configuration.ts";
import { Field } from "../ui/parts.tsx";
import { type Row, rowOf, textOf } from "./draft.ts";
import { type FieldFailure, failureAt } from "./failures.ts";
import { removeRow, replaceRow } from "./rows.ts";
import type { Fields } from "./step-fields.ts";

const WHERE = ["viewport", "environment"] as const;
/** The fields of an ignore region, by what it ignores. */
const KINDS = {
  rectangle: ["x", "y", "width", "height", ...WHERE],
  elements: ["selector", "padding", ...WHERE],
} as const;
type RegionKind = keyof typeof KINDS;

interface RegionFieldsProps {
  rows: readonly Row[];
  failures: readonly FieldFailure[];
  onChange: (rows: Row[]) => void;
}

/** Edits the ignore regions: rectangles of a page, or elements. */
export function RegionFields({ rows, failures, onChange }: RegionFieldsProps) {
  return (
    <section aria-labelledby="regions" className="section">
      <h2 id="regions">{configurationTexts.regions}</h2>
      <p className="about">{configurationTexts.regionsAbout}</p>
      {rows.map((row, index) => (
        <fieldset key={row.key} className="item">
          <legend>{configurationTexts.region(index + 1)}</legend>
          <RegionRow
            row={row}
            path={`ignoreRegions[${index}]`}
            failures={failures}
            onChange={changed => onChange(replaceRow(rows, changed))}
          />
          <button type="button" onClick={() => onChange(removeRow(rows, row))}>
            {configurationTexts.removeRegion(index + 1)}
          </button>
        </fieldset>
      ))}
      <button type="button" className="add" onClick={() => onChange([...rows, rowOf({ selector: "" })])}>
        {configurationTexts.addRegion}
      </button>
    </section>
  );
}

interface RegionRowProps {
  row: Row;
  path: string;
  failures: readonly FieldFailure[];
  onChange: (row: Row) => void;
}

function RegionRow({ row, path, failures, onChange }: RegionRowProps) {
  const { fields } = row;
  const kind: RegionKind = Object.hasOwn(fields, "selector") ? "elements" : "rectangle";
  const shown: readonly string[] = KINDS[kind];
  const others = Object.keys(fields).filter(name => !shown.includes(name));
  return (
    <>
      <div className="row-fields">
        <Field label={configurationTexts.ignored}>
          <select
            value={kind}
            onChange={event => {
              const chosen = event.currentTarget.value === "elements" ? "elements" : "rectangle";
              onChange({ ...row, fields: fieldsOfKind(fields, chosen) });
            }}
          >
            <option value="elements">{configurationTexts.ignoredElements}</option>
            <option value="rectangle">{configurationTexts.ignoredRectangle}</option>
          </select>
        </Field>
      </div>
      <div className="row-fields short">
        {KINDS[kind].map(name => (
          <Field key={name} label={regionFieldTexts[name]} failure={failureAt(failures, `${path}.${name}`)}>
            <input
              value={textOf(fields[name])}
              autoComplete="off"
              spellCheck={false}
              onChange={event =>
                onChange({ ...row, fields: { ...fields, [name]: event.currentTarget.value } })
              }
            />
          </Field>
        ))}
      </div>
      {others.length > 0 && <p className="hint">{configurationTexts.otherFields(others)}</p>}
    </>
  );
}

/** Returns a region of another kind. Where it applies stays. */
function fieldsOfKind(fields: Fields, kind: RegionKind): Fields {
  const { viewport, environment } = fields;
  return { ...(kind === "elements" ? { selector: "" } : { x: "" }), viewport, environment };
}
