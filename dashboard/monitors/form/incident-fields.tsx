import { useState } from "react";
import { INCIDENT_TOOLS } from "../../../shared/contracts/monitors/monitor-channels.ts";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { incidentToolNames } from "../../texts/monitors/channels.ts";
import { monitorFormTexts } from "../../texts/monitors/monitor-form.ts";
import { Field } from "../../ui/parts.tsx";
import { failureIn } from "./monitor-body.ts";
import { Secret } from "./secret.tsx";

const NO_TOOL = "";

interface IncidentFieldsProps {
  /** The current service; null without one. */
  of: MonitorView["alerts"]["incidents"];
  failures: readonly { path: string; message: string }[];
}

/** Edits the incident service besides PagerDuty. A change needs the URL and the key, which are secret. */
export function IncidentFields({ of: known, failures }: IncidentFieldsProps) {
  const [chosen, setChosen] = useState<string>(known?.tool ?? NO_TOOL);
  const tool = INCIDENT_TOOLS.find(name => name === chosen);
  const texts = tool && monitorFormTexts.incidentTools[tool];
  const isKept = known !== null && known.tool === tool;
  const visible = known && `${incidentToolNames[known.tool]} (${known.host})`;
  return (
    <Secret name="incidents" known={visible}>
      {() => (
        <>
          <Field label={monitorFormTexts.incidents} hint={monitorFormTexts.incidentsHint}>
            <select
              name="incidents-tool"
              value={chosen}
              onChange={event => setChosen(event.currentTarget.value)}
            >
              {known === null && <option value={NO_TOOL}>{monitorFormTexts.noIncidents}</option>}
              {INCIDENT_TOOLS.map(name => (
                <option key={name} value={name}>
                  {incidentToolNames[name]}
                </option>
              ))}
            </select>
          </Field>
          {texts && (
            <>
              <Field
                label={texts.url}
                hint={isKept ? monitorFormTexts.incidentsKept : undefined}
                failure={failureIn("alerts.incidents.url", failures)}
              >
                <input
                  key={tool}
                  name="incidents-url"
                  type="url"
                  defaultValue={isKept ? "" : texts.defaultUrl}
                  placeholder={isKept ? monitorFormTexts.unchanged : texts.urlPlaceholder}
                  autoComplete="off"
                />
              </Field>
              <Field label={texts.key} failure={failureIn("alerts.incidents.key", failures)}>
                <input
                  name="incidents-key"
                  type="password"
                  placeholder={isKept ? monitorFormTexts.unchanged : ""}
                  autoComplete="new-password"
                />
              </Field>
            </>
          )}
        </>
      )}
    </Secret>
  );
}
