import { useEffect, useState } from "react";
import type { MonitorView } from "../../shared/contracts/monitors.ts";
import { Field } from "../ui/parts.tsx";
import { faultOf } from "./monitor-body.ts";
import { Secret } from "./secret.tsx";

interface OptionFieldsProps {
  /** As they are; null for a new monitor. */
  options: MonitorView["options"] | null;
  faults: readonly { path: string; message: string }[];
}

/** The fields, as faults name them, that have a place here. */
export const OPTIONS = ["hide", "masks", "waitForSelector", "headers", "colorThreshold"].map(
  name => `options.${name}`,
);

/** How screenshots are taken: open where something of it is set, or wrong. */
export function OptionFields({ options, faults }: OptionFieldsProps) {
  const { hide, masks, waitForSelector, headers, colorThreshold, network, clock, random, ...more } =
    options ?? {};
  const { ignoreRegions, perRoute } = more;
  const others = [
    network && "network rules",
    clock && "a clock",
    random && "a setting of random values",
    ignoreRegions && "ignore regions",
    perRoute && "settings of single pages",
  ].filter(other => other !== undefined);
  const fault = (name: string) => faultOf(`options.${name}`, faults);
  const [isOpen, setOpen] = useState(Object.keys(options ?? {}).length > 0);
  const isFaulty = OPTIONS.some(name => faultOf(name, faults));
  useEffect(() => {
    if (isFaulty) setOpen(true);
  }, [isFaulty]);
  return (
    <details className="option-fields" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="field-label">What screenshots leave out</summary>
      <div>
        {options && (
          <p className="hint">
            Baselines stay: where a page looks different because of a change here, approve it after the next
            check.
          </p>
        )}
        <Field
          label="Hidden elements, one CSS selector a line"
          hint="Cookie banners, chats, advertisements: they keep their place and are not seen."
          fault={fault("hide")}
        >
          <textarea name="hide" rows={2} defaultValue={hide?.join("\n")} spellCheck={false} />
        </Field>
        <Field
          label="Masked elements, one CSS selector a line"
          hint="Dates, counts, pictures that differ each time: painted over with one colour."
          fault={fault("masks")}
        >
          <textarea name="masks" rows={2} defaultValue={masks?.join("\n")} spellCheck={false} />
        </Field>
        <Field
          label="Wait for an element, by its CSS selector"
          hint="Before the screenshot it must be visible."
          fault={fault("waitForSelector")}
        >
          <input name="wait-for" defaultValue={waitForSelector} autoComplete="off" spellCheck={false} />
        </Field>
        <Secret name="headers" known={headers ? headers.join(", ") : null}>
          {placeholder => (
            <Field
              label="Request headers, one a line"
              hint={`Name: value. Sent to the site and to no other, and not shown again.${headers ? " What you write takes the place of all of them." : ""}`}
              fault={fault("headers")}
            >
              <textarea
                name="headers"
                rows={2}
                placeholder={placeholder ?? "X-Preview-Token: …"}
                autoComplete="off"
                spellCheck={false}
              />
            </Field>
          )}
        </Secret>
        <Field
          label="Colour threshold, 0–1"
          hint="How far apart two colours may be and still count as one; 0.1 where it is empty."
          fault={fault("colorThreshold")}
        >
          <input
            name="color-threshold"
            inputMode="decimal"
            defaultValue={colorThreshold}
            autoComplete="off"
          />
        </Field>
        {others.length > 0 && (
          <p className="hint">
            It has {new Intl.ListFormat("en-US").format(others)}, which stay as they are: the API changes
            them.
          </p>
        )}
      </div>
    </details>
  );
}
