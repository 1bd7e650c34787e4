import { actionTexts, configurationTexts, stepFieldTexts } from "../texts/configuration.ts";
import { Field } from "../ui/parts.tsx";
import { type Row, rowOf, textOf } from "./draft.ts";
import { type FieldFailure, failureAt } from "./failures.ts";
import { moveRow, removeRow, replaceRow } from "./rows.ts";
import { isStepAction, STEP_FIELDS, type StepAction, withAction } from "./step-fields.ts";

interface StepsEditorProps {
  steps: readonly Row[];
  /** Path of the list in the configuration. */
  path: string;
  failures: readonly FieldFailure[];
  onChange: (steps: Row[]) => void;
}

/** Edits a list of steps. */
export function StepsEditor({ steps, path, failures, onChange }: StepsEditorProps) {
  return (
    <fieldset className="steps">
      <legend className="field-label">{configurationTexts.steps}</legend>
      <ol>
        {steps.map((step, index) => (
          <li key={step.key}>
            <StepEditor
              step={step}
              number={index + 1}
              path={`${path}[${index}]`}
              failures={failures}
              onChange={changed => onChange(replaceRow(steps, changed))}
            />
            <span className="row-actions">
              <button
                type="button"
                disabled={index === 0}
                aria-label={configurationTexts.moveUp(index + 1)}
                onClick={() => onChange(moveRow(steps, step, -1))}
              >
                ↑
              </button>
              <button
                type="button"
                disabled={index === steps.length - 1}
                aria-label={configurationTexts.moveDown(index + 1)}
                onClick={() => onChange(moveRow(steps, step, 1))}
              >
                ↓
              </button>
              <button
                type="button"
                aria-label={configurationTexts.removeStep(index + 1)}
                onClick={() => onChange(removeRow(steps, step))}
              >
                {configurationTexts.removeStepShort}
              </button>
            </span>
          </li>
        ))}
      </ol>
      <button type="button" onClick={() => onChange([...steps, rowOf({ action: "click", selector: "" })])}>
        {configurationTexts.addStep}
      </button>
    </fieldset>
  );
}

interface StepEditorProps {
  step: Row;
  number: number;
  path: string;
  failures: readonly FieldFailure[];
  onChange: (step: Row) => void;
}

function StepEditor({ step, number, path, failures, onChange }: StepEditorProps) {
  const { fields } = step;
  const action: StepAction = isStepAction(fields.action) ? fields.action : "click";
  const shown: readonly string[] = STEP_FIELDS[action];
  const others = Object.keys(fields).filter(
    name => name !== "action" && (!shown.includes(name) || isHidden(fields[name])),
  );
  return (
    <fieldset className="row-fields">
      <legend className="quiet">{configurationTexts.step(number)}</legend>
      <Field label={configurationTexts.action} failure={failureAt(failures, `${path}.action`)}>
        <select
          value={action}
          onChange={event => {
            const chosen = event.currentTarget.value;
            if (isStepAction(chosen)) onChange({ ...step, fields: withAction(fields, chosen) });
          }}
        >
          {Object.entries(actionTexts).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </Field>
      {STEP_FIELDS[action]
        .filter(name => !isHidden(fields[name]))
        .map(name => (
          <Field key={name} label={stepFieldTexts[name]} failure={failureAt(failures, `${path}.${name}`)}>
            <input
              value={textOf(fields[name])}
              autoComplete="off"
              spellCheck={false}
              onChange={event =>
                onChange({ ...step, fields: { ...fields, [name]: event.currentTarget.value } })
              }
            />
          </Field>
        ))}
      {others.length > 0 && <p className="hint">{configurationTexts.otherFields(others)}</p>}
      <StepFailure path={path} failures={failures} />
    </fieldset>
  );
}

/** Shows an error of the step as a whole, such as a missing condition. */
function StepFailure({ path, failures }: { path: string; failures: readonly FieldFailure[] }) {
  const failure = failures.find(each => each.path === `configuration.${path}`);
  if (!failure) return null;
  return (
    <p className="fault" role="alert">
      {failure.message}
    </p>
  );
}

/** Returns whether an input can't show a value, such as a list of options. */
function isHidden(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
