import { configurationTexts } from "../../texts/configuration.ts";
import { ChoiceField, LinesField, RecordEditor, TextField } from "../record-editor.tsx";
import type { PartProps } from "./part-props.ts";
import { RowSteps } from "./row-steps.tsx";

/** Edits the settings of single routes. */
export function Routes({ draft, failures, sessions, onChange }: PartProps & { sessions: string[] }) {
  return (
    <RecordEditor
      id="perRoute"
      title={configurationTexts.perRoute}
      about={configurationTexts.perRouteAbout}
      nameLabel={configurationTexts.route}
      add={configurationTexts.addRoute}
      titleOf={configurationTexts.routeOf}
      rows={draft.perRoute}
      shown={["session", "environments", "viewports", "threshold", "masks"]}
      failures={failures}
      onChange={perRoute => onChange({ perRoute })}
    >
      {(row, edit) => (
        <>
          <div className="row-fields">
            <ChoiceField
              {...{ row, edit, name: "session", label: configurationTexts.sessionOfRoute }}
              options={sessions}
              none={configurationTexts.noSession}
            />
            <TextField
              {...{ row, edit, name: "environments", label: configurationTexts.environmentNames }}
              hint={configurationTexts.environmentNamesHint}
            />
            <TextField {...{ row, edit, name: "viewports", label: configurationTexts.viewports }} />
            <TextField
              {...{ row, edit, name: "threshold", label: configurationTexts.threshold }}
              hint={configurationTexts.thresholdOfRouteHint}
            />
          </div>
          <LinesField
            {...{ row, edit, name: "masks", label: configurationTexts.masks }}
            hint={configurationTexts.masksHint}
          />
          <RowSteps row={row} edit={edit} />
        </>
      )}
    </RecordEditor>
  );
}
