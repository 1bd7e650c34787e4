import { configurationTexts } from "../../texts/configuration.ts";
import { Field } from "../../ui/parts.tsx";
import { fieldsOf, type NamedRow, textOf } from "../draft.ts";
import { failureAt } from "../failures.ts";
import { RecordEditor, type RowEdit, TextField } from "../record-editor.tsx";
import type { PartProps } from "./part-props.ts";
import { RowSteps } from "./row-steps.tsx";

/** Edits the named logins. */
export function Sessions({ draft, failures, onChange }: PartProps) {
  return (
    <RecordEditor
      id="sessions"
      title={configurationTexts.sessions}
      about={configurationTexts.sessionsAbout}
      nameLabel={configurationTexts.name}
      add={configurationTexts.addSession}
      titleOf={configurationTexts.sessionOf}
      rows={draft.sessions}
      shown={["url", "expect"]}
      failures={failures}
      onChange={sessions => onChange({ sessions })}
    >
      {(row, edit) => (
        <>
          <div className="row-fields">
            <TextField
              {...{
                row,
                edit,
                name: "url",
                label: configurationTexts.startUrl,
                hint: configurationTexts.startUrlHint,
              }}
            />
            <ExpectField row={row} edit={edit} />
          </div>
          <RowSteps row={row} edit={edit} />
        </>
      )}
    </RecordEditor>
  );
}

/** Edits the text that proves a login. Other conditions are edited as JSON. */
function ExpectField({ row, edit }: { row: NamedRow; edit: RowEdit }) {
  const expect = fieldsOf(row.fields.expect);
  if (Object.keys(expect).some(name => name !== "text"))
    return <p className="hint">{configurationTexts.otherFields(["expect"])}</p>;
  return (
    <Field
      label={configurationTexts.expect}
      hint={configurationTexts.expectText}
      failure={failureAt(edit.failures, `${edit.path}.expect`)}
    >
      <input
        value={textOf(expect.text)}
        autoComplete="off"
        onChange={event => {
          const text = event.currentTarget.value;
          edit.set("expect", text === "" ? undefined : { text });
        }}
      />
    </Field>
  );
}
