import type { Role } from "../../shared/contracts/http.ts";
import { Field } from "../ui/parts.tsx";

const ROLES: { role: Role; may: string }[] = [
  { role: "viewer", may: "viewer: reads" },
  { role: "reviewer", may: "reviewer: also submits and decides" },
  { role: "admin", may: "admin: also manages the team" },
];

export function RoleSelect() {
  return (
    <Field label="Role">
      <select name="role" defaultValue="reviewer">
        {ROLES.map(({ role, may }) => (
          <option key={role} value={role}>
            {may}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** What was chosen in a form with a RoleSelect. */
export function roleOf(form: FormData): Role {
  return ROLES.find(({ role }) => role === form.get("role"))?.role ?? "viewer";
}
