import { configurationTexts } from "../../texts/configuration.ts";
import { Field } from "../../ui/parts.tsx";
import { failureAt } from "../failures.ts";
import type { PartProps } from "./part-props.ts";

/** Edits which elements are masked, hidden, or waited for. */
export function ElementFields({ draft, failures, onChange }: PartProps) {
  const lists = [
    ["masks", configurationTexts.masks, configurationTexts.masksHint],
    ["hide", configurationTexts.hide, configurationTexts.hideHint],
  ] as const;
  return (
    <section aria-labelledby="elements" className="section">
      <h2 id="elements">{configurationTexts.elements}</h2>
      <div className="form">
        {lists.map(([name, label, hint]) => (
          <Field key={name} label={label} hint={hint} failure={failureAt(failures, name)}>
            <textarea
              rows={2}
              value={draft[name]}
              spellCheck={false}
              onChange={event => onChange({ [name]: event.currentTarget.value })}
            />
          </Field>
        ))}
        <Field
          label={configurationTexts.waitFor}
          hint={configurationTexts.waitForHint}
          failure={failureAt(failures, "waitForSelector")}
        >
          <input
            value={draft.waitForSelector}
            autoComplete="off"
            spellCheck={false}
            onChange={event => onChange({ waitForSelector: event.currentTarget.value })}
          />
        </Field>
      </div>
    </section>
  );
}
