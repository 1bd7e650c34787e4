import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { TeamView } from "../../shared/contracts/teams/people.ts";
import type { GroupRole, SignInPolicy, SignInSettings } from "../../shared/contracts/teams/sign-in.ts";
import { signInApi, signInKey } from "../api/sign-in.ts";
import { ROLES } from "../settings/role-select.tsx";
import { roleTexts } from "../texts/settings/settings.ts";
import { signInSettingsTexts as texts } from "../texts/sign-in.ts";
import { Field } from "../ui/parts.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";

const NO_ACCESS = "none";

/** A group and its role in the form. Keys stay while rows come and go. */
interface Row extends GroupRole {
  key: number;
}

/** Changes who joins the team with which role, and whether members must use the provider. */
export function RoleRules({ team, settings }: { team: TeamView; settings: SignInSettings }) {
  const client = useQueryClient();
  const showToast = useToast();
  const [rows, setRows] = useState<Row[]>(settings.groupRoles.map((rule, key) => ({ ...rule, key })));
  const { mutate, error, isPending } = useMutation({
    mutationFn: (body: SignInPolicy) => signInApi.changePolicy(team.id, body),
    onSuccess(changed) {
      client.setQueryData(signInKey(team.id), changed);
      showToast({ text: texts.rolesSaved });
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({
      defaultRole: ROLES.find(role => role === form.get("defaultRole")) ?? null,
      groupRoles: rows.map(({ group, role }) => ({ group: group.trim(), role })),
      enforced: form.has("enforced"),
    });
  };
  const change = (key: number, changed: Partial<GroupRole>) =>
    setRows(rows.map(row => (row.key === key ? { ...row, ...changed } : row)));
  const add = () =>
    setRows([...rows, { group: "", role: "viewer", key: Math.max(-1, ...rows.map(({ key }) => key)) + 1 }]);
  return (
    <section aria-labelledby="roles" className="section">
      <h2 id="roles">{texts.roles}</h2>
      <p className="about">{texts.rolesAbout}</p>
      <form className="form role-rules" onSubmit={submit}>
        {rows.length === 0 && (
          <p className="empty">{settings.groupRoles.length > 0 ? texts.lastGroupRemoved : texts.noGroups}</p>
        )}
        {rows.map(({ key, group, role }) => (
          <div className="line-form" key={key}>
            <Field label={texts.group}>
              <input
                value={group}
                required
                maxLength={300}
                placeholder={texts.groupPlaceholder}
                autoComplete="off"
                onChange={({ currentTarget }) => change(key, { group: currentTarget.value })}
              />
            </Field>
            <Field label={roleTexts.role}>
              <select
                value={role}
                onChange={({ currentTarget }) =>
                  change(key, { role: ROLES.find(own => own === currentTarget.value) ?? "viewer" })
                }
              >
                {ROLES.map(own => (
                  <option key={own} value={own}>
                    {roleTexts[own]}
                  </option>
                ))}
              </select>
            </Field>
            <button type="button" onClick={() => setRows(rows.filter(row => row.key !== key))}>
              {texts.removeGroup}
              <span className="hidden"> {group}</span>
            </button>
          </div>
        ))}
        <div>
          <button type="button" onClick={add}>
            {texts.addGroup}
          </button>
        </div>
        <Field label={texts.defaultRole}>
          <select name="defaultRole" defaultValue={settings.defaultRole ?? NO_ACCESS}>
            <option value={NO_ACCESS}>{texts.noAccess}</option>
            {ROLES.map(own => (
              <option key={own} value={own}>
                {roleTexts[own]}
              </option>
            ))}
          </select>
        </Field>
        <label className="check">
          <input name="enforced" type="checkbox" defaultChecked={settings.enforced} />
          {texts.enforce}
        </label>
        <p className="hint">{texts.enforceAbout}</p>
        {error && (
          <p className="fault" role="alert">
            {messageOf(error)}
          </p>
        )}
        <div>
          <button type="submit" className="primary" disabled={isPending}>
            {texts.saveRoles}
          </button>
        </div>
      </form>
    </section>
  );
}
