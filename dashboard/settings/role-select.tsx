import type { Role } from "../../shared/contracts/runs/runs.ts";
import { roleTexts } from "../texts/settings/settings.ts";
import { Field } from "../ui/parts.tsx";

export const ROLES: readonly Role[] = ["viewer", "reviewer", "admin"];

export function RoleSelect() {
  return (
    <Field label={roleTexts.role}>
      <select name="role" defaultValue="reviewer">
        {ROLES.map(role => (
          <option key={role} value={role}>
            {roleTexts[role]}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Returns the selected role in a form with a RoleSelect. */
export function roleOf(form: FormData): Role {
  return ROLES.find(role => role === form.get("role")) ?? "viewer";
}
