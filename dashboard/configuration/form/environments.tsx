import { configurationTexts } from "../../texts/configuration.ts";
import { ChoiceField, RecordEditor, TextField } from "../record-editor.tsx";
import type { PartProps } from "./part-props.ts";

interface EnvironmentsProps extends PartProps {
  /** Whether they are of all monitors. */
  isForMonitors: boolean;
}

/** Edits the named sets of browser options. */
export function Environments({ draft, failures, isForMonitors, onChange }: EnvironmentsProps) {
  return (
    <RecordEditor
      id="environments"
      title={configurationTexts.environments}
      about={isForMonitors ? configurationTexts.environmentsOfMonitors : configurationTexts.environmentsAbout}
      nameLabel={configurationTexts.name}
      add={configurationTexts.addEnvironment}
      titleOf={configurationTexts.environment}
      rows={draft.environments}
      shown={["browser", "device", "colorScheme", "locale", "timezone", "viewports"]}
      failures={failures}
      onChange={environments => onChange({ environments })}
    >
      {(row, edit) => (
        <div className="row-fields">
          <ChoiceField
            {...{ row, edit, name: "browser", label: configurationTexts.browser }}
            options={["chromium", "firefox", "webkit"]}
            none={configurationTexts.default}
          />
          <TextField
            {...{
              row,
              edit,
              name: "device",
              label: configurationTexts.device,
              hint: configurationTexts.deviceHint,
            }}
          />
          <ChoiceField
            {...{ row, edit, name: "colorScheme", label: configurationTexts.colorScheme }}
            options={["light", "dark"]}
            none={configurationTexts.default}
          />
          <TextField {...{ row, edit, name: "locale", label: configurationTexts.locale }} />
          <TextField {...{ row, edit, name: "timezone", label: configurationTexts.timezone }} />
          <TextField {...{ row, edit, name: "viewports", label: configurationTexts.viewports }} />
        </div>
      )}
    </RecordEditor>
  );
}
