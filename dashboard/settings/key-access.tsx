import type { CreateKeyInput, KeyView } from "../../shared/contracts/teams/keys.ts";
import { roleNames } from "../texts/common.ts";
import { keysTexts, roleTexts } from "../texts/settings/settings.ts";
import { textIn } from "../ui/form-values.ts";
import { Field } from "../ui/parts.tsx";
import { ROLES, roleOf } from "./role-select.tsx";

/** Selects a new key's role, or the one project that it can upload to. */
export function KeyAccess(props: { isUploadOnly: boolean; onChange: (isUploadOnly: boolean) => void }) {
  return (
    <>
      <Field label={roleTexts.role}>
        <select
          name="role"
          defaultValue="reviewer"
          onChange={({ currentTarget }) => props.onChange(currentTarget.value === "upload")}
        >
          {ROLES.map(role => (
            <option key={role} value={role}>
              {roleTexts[role]}
            </option>
          ))}
          <option value="upload">{keysTexts.upload}</option>
        </select>
      </Field>
      {props.isUploadOnly && <UploadFields />}
    </>
  );
}

function UploadFields() {
  const common = { maxLength: 200, placeholder: keysTexts.projectPlaceholder, autoComplete: "off" };
  return (
    <>
      <Field label={keysTexts.project}>
        <input name="project" required {...common} />
      </Field>
      <Field label={keysTexts.repository}>
        <input name="repository" {...common} />
      </Field>
    </>
  );
}

/** The days that the form offers until a key expires. */
const EXPIRY_DAYS = [30, 90, 365];

/** Selects when a new key expires. */
export function KeyExpiry() {
  return (
    <Field label={keysTexts.expiry}>
      <select name="expiry" defaultValue="">
        <option value="">{keysTexts.never}</option>
        {EXPIRY_DAYS.map(days => (
          <option key={days} value={days}>
            {keysTexts.inDays(days)}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Returns the expiry that a form with KeyExpiry selects. */
export function expiryIn(form: FormData): Pick<CreateKeyInput, "expiresInDays"> {
  const days = textIn(form, "expiry");
  return days === "" ? {} : { expiresInDays: Number(days) };
}

/** Returns the access that a form with KeyAccess selects. */
export function accessIn(form: FormData): Omit<CreateKeyInput, "name"> {
  if (form.get("role") !== "upload") return { role: roleOf(form) };
  const repository = textIn(form, "repository").trim();
  return {
    ...{ scope: "upload", project: textIn(form, "project") },
    ...(repository !== "" && { repository }),
  };
}

/** Returns the access of a key in words. */
export function accessOf({ role, scope, project }: KeyView): string {
  if (scope === "scim") return keysTexts.provisions;
  return project === null ? roleNames[role] : keysTexts.uploadsTo(project);
}
