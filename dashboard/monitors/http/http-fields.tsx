import { useState } from "react";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { httpTexts } from "../../texts/monitors/http.ts";
import { Field } from "../../ui/parts.tsx";
import { failureIn } from "../form/monitor-body.ts";
import { RegionInputs } from "../form/region-inputs.tsx";

interface HttpFieldsProps {
  http: MonitorView["http"];
  failures: readonly { path: string; message: string }[];
}

/** The form's fields of the HTTP check. */
export function HttpFields({ http, failures }: HttpFieldsProps) {
  const [isOn, setOn] = useState(http !== null);
  return (
    <fieldset className="item">
      <legend>{httpTexts.title}</legend>
      <label className="check">
        <input
          type="checkbox"
          name="http"
          checked={isOn}
          onChange={event => setOn(event.currentTarget.checked)}
        />
        {httpTexts.turnOn}
      </label>
      <p className="hint">{httpTexts.turnOnHint}</p>
      {isOn && (
        <>
          <Field
            label={httpTexts.maxResponse}
            hint={httpTexts.maxResponseHint}
            failure={failureIn("http.maxResponseMs", failures)}
          >
            <input name="http-max" inputMode="numeric" defaultValue={http?.maxResponseMs ?? ""} />
          </Field>
          <Field
            label={httpTexts.requiredText}
            hint={httpTexts.requiredTextHint}
            failure={failureIn("http.requiredText", failures)}
          >
            <input name="http-text" defaultValue={http?.requiredText ?? ""} autoComplete="off" />
          </Field>
          <RegionInputs
            label={httpTexts.regions}
            names={{ regions: "http-regions", agree: "http-agree" }}
            paths={{ regions: "http.regions", agree: "http.agree" }}
            settings={http}
            hint={httpTexts.regionsHint}
            failures={failures}
          />
        </>
      )}
    </fieldset>
  );
}
