import type { ReactNode } from "react";
import { configurationTexts } from "../texts/configuration.ts";
import { ElementFields } from "./form/element-fields.tsx";
import { Environments } from "./form/environments.tsx";
import { PageFields } from "./form/page-fields.tsx";
import type { PartProps } from "./form/part-props.ts";
import { Routes } from "./form/routes.tsx";
import { Sessions } from "./form/sessions.tsx";
import { RegionFields } from "./region-fields.tsx";
import type { CaptureSection } from "./sections.ts";

interface FormProps extends PartProps {
  /** Whether it is the project of all monitors, for which only environments and sessions apply. */
  isForMonitors: boolean;
  /** Frames the fields of a section with its form and its button. */
  frame: (section: CaptureSection, fields: ReactNode) => ReactNode;
  /** Shown where users look for them: below the ignore regions, and below the sessions. */
  rules: ReactNode;
  secrets: ReactNode;
}

/** Edits the common fields of a configuration by section. Others stay as they are. */
export function ConfigurationForm(props: FormProps) {
  const { draft, failures, isForMonitors, onChange, frame, rules, secrets } = props;
  const sessions = draft.sessions.map(({ name }) => name.trim()).filter(name => name !== "");
  const part = { draft, failures, onChange };
  const otherFields = Object.keys(draft.rest);
  return (
    <>
      {!isForMonitors && (
        <>
          {frame("pages", <PageFields {...part} sessions={sessions} />)}
          {frame("elements", <ElementFields {...part} />)}
          {frame(
            "regions",
            <RegionFields
              rows={draft.ignoreRegions}
              failures={failures}
              onChange={ignoreRegions => onChange({ ignoreRegions })}
            />,
          )}
          {rules}
        </>
      )}
      {frame("environments", <Environments {...part} isForMonitors={isForMonitors} />)}
      {frame("sessions", <Sessions {...part} />)}
      {secrets}
      {!isForMonitors && frame("perRoute", <Routes {...part} sessions={sessions} />)}
      {otherFields.length > 0 && <p className="about add">{configurationTexts.otherFields(otherFields)}</p>}
    </>
  );
}
