import type { NamedRow } from "../draft.ts";
import type { RowEdit } from "../record-editor.tsx";
import { StepsEditor } from "../steps-editor.tsx";

/** Edits the steps of a session or a route. */
export function RowSteps({ row, edit }: { row: NamedRow; edit: RowEdit }) {
  return (
    <StepsEditor
      steps={row.steps}
      path={`${edit.path}.steps`}
      failures={edit.failures}
      onChange={steps => edit.change({ ...row, steps })}
    />
  );
}
