import { httpTexts } from "../../texts/monitors/http.ts";
import { Field } from "../../ui/parts.tsx";
import { failureIn } from "./monitor-body.ts";

interface RegionInputsProps {
  label: string;
  /** Names of the two inputs. */
  names: { regions: string; agree: string };
  /** Their names in bodies. */
  paths: { regions: string; agree: string };
  /** Null for a new monitor. */
  settings: { regions: readonly string[]; agree: number } | null;
  hint: string;
  failures: readonly { path: string; message: string }[];
}

/** The inputs for regions, and for how many of them must agree. */
export function RegionInputs({ label, names, paths, settings, hint, failures }: RegionInputsProps) {
  return (
    <>
      <Field label={label} hint={hint} failure={failureIn(paths.regions, failures)}>
        <input
          name={names.regions}
          defaultValue={settings?.regions.join(", ") ?? ""}
          placeholder={httpTexts.regionsExample}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Field label={httpTexts.agree} hint={httpTexts.agreeHint} failure={failureIn(paths.agree, failures)}>
        <input name={names.agree} inputMode="numeric" defaultValue={settings?.agree ?? 1} />
      </Field>
    </>
  );
}
