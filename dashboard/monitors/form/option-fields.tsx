import { useEffect, useState } from "react";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { captureOptionTexts } from "../../texts/monitors/monitor-form.ts";
import { Field } from "../../ui/parts.tsx";
import { failureIn } from "./monitor-body.ts";
import { Secret } from "./secret.tsx";

interface OptionFieldsProps {
  /** Current options; null for a new monitor. */
  options: MonitorView["options"] | null;
  failures: readonly { path: string; message: string }[];
}

/** Names of the fields here, as in failures. */
export const OPTIONS = ["hide", "masks", "waitForSelector", "headers", "colorThreshold"].map(
  name => `options.${name}`,
);

/** Edits the capture options. Open if an option is set or invalid. */
export function OptionFields({ options, failures }: OptionFieldsProps) {
  const { hide, masks, waitForSelector, headers, colorThreshold, network, clock, random, ...more } =
    options ?? {};
  const { ignoreRegions, perRoute } = more;
  const names = captureOptionTexts.otherOptions;
  const others = [
    network && names.network,
    clock && names.clock,
    random && names.random,
    ignoreRegions && names.ignoreRegions,
    perRoute && names.perRoute,
  ].filter(other => other !== undefined);
  const failure = (name: string) => failureIn(`options.${name}`, failures);
  const [isOpen, setOpen] = useState(Object.keys(options ?? {}).length > 0);
  const isInvalid = OPTIONS.some(name => failureIn(name, failures));
  useEffect(() => {
    if (isInvalid) setOpen(true);
  }, [isInvalid]);
  return (
    <details className="option-fields" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="field-label">{captureOptionTexts.title}</summary>
      <div>
        {options && <p className="hint">{captureOptionTexts.baselinesStay}</p>}
        <Field label={captureOptionTexts.hide} hint={captureOptionTexts.hideHint} failure={failure("hide")}>
          <textarea name="hide" rows={2} defaultValue={hide?.join("\n")} spellCheck={false} />
        </Field>
        <Field
          label={captureOptionTexts.masks}
          hint={captureOptionTexts.masksHint}
          failure={failure("masks")}
        >
          <textarea name="masks" rows={2} defaultValue={masks?.join("\n")} spellCheck={false} />
        </Field>
        <Field
          label={captureOptionTexts.waitFor}
          hint={captureOptionTexts.waitForHint}
          failure={failure("waitForSelector")}
        >
          <input name="wait-for" defaultValue={waitForSelector} autoComplete="off" spellCheck={false} />
        </Field>
        <Secret name="headers" known={headers ? headers.join(", ") : null}>
          {placeholder => (
            <Field
              label={captureOptionTexts.headers}
              hint={headersHint(headers !== undefined)}
              failure={failure("headers")}
            >
              <textarea
                name="headers"
                rows={2}
                placeholder={placeholder ?? captureOptionTexts.headersPlaceholder}
                autoComplete="off"
                spellCheck={false}
              />
            </Field>
          )}
        </Secret>
        <Field
          label={captureOptionTexts.colorThreshold}
          hint={captureOptionTexts.colorThresholdHint}
          failure={failure("colorThreshold")}
        >
          <input
            name="color-threshold"
            inputMode="decimal"
            defaultValue={colorThreshold}
            autoComplete="off"
          />
        </Field>
        {others.length > 0 && <p className="hint">{captureOptionTexts.others(others)}</p>}
      </div>
    </details>
  );
}

function headersHint(hasHeaders: boolean): string {
  const { headersHint, headersReplaced } = captureOptionTexts;
  return hasHeaders ? `${headersHint} ${headersReplaced}` : headersHint;
}
