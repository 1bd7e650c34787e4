import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { IncidentView } from "../../shared/contracts/monitors/incidents.ts";
import { incidentsApi } from "../api/incidents.ts";
import { membersQuery } from "../people/queries.ts";
import { useMe } from "../session.tsx";
import { incidentTexts } from "../texts/monitors/incidents.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { Field } from "../ui/parts.tsx";
import { useIncident } from "./use-incident.ts";

/** Shows the actions on an unresolved incident. */
export function IncidentActions({ incident }: { incident: IncidentView }) {
  const { may } = useMe();
  const { mutate, isPending } = useIncident(incident);
  const [isResolving, setResolving] = useState(false);
  if (!may("reviewer") || incident.state === "resolved") return null;
  const { id } = incident;
  return (
    <div className="actions">
      {incident.state === "open" && (
        <button
          type="button"
          className="primary"
          disabled={isPending}
          onClick={() =>
            mutate({ action: () => incidentsApi.acknowledge(id), done: incidentTexts.acknowledged })
          }
        >
          {incidentTexts.acknowledge}
        </button>
      )}
      <Assign
        incident={incident}
        isOff={isPending}
        onAssign={login =>
          mutate({
            action: () => incidentsApi.assign(id, login),
            done: login === null ? incidentTexts.unassignedDone : incidentTexts.assigned(login),
          })
        }
      />
      <button type="button" disabled={isPending} onClick={() => setResolving(true)}>
        {incidentTexts.resolve}
      </button>
      {isResolving && <ResolveDialog incident={incident} onClose={() => setResolving(false)} />}
    </div>
  );
}

interface AssignProps {
  incident: IncidentView;
  isOff: boolean;
  onAssign: (login: string | null) => void;
}

function Assign({ incident, isOff, onAssign }: AssignProps) {
  const { session } = useMe();
  const { data: members = [] } = useQuery(membersQuery(session.team?.id ?? ""));
  const logins = members.flatMap(({ login, role }) => (login === null || role === "viewer" ? [] : [login]));
  // Without members who sign in, there are no assignees.
  if (logins.length === 0) return null;
  return (
    <select
      className="as-button"
      aria-label={incidentTexts.assignLabel}
      disabled={isOff}
      value=""
      onChange={({ currentTarget: { value } }) => onAssign(value === "-" ? null : value)}
    >
      <option value="" disabled hidden>
        {incidentTexts.assign}
      </option>
      {incident.assignee && <option value="-">{incidentTexts.noAssignee}</option>}
      {logins
        .filter(login => login !== incident.assignee?.login)
        .map(login => (
          <option key={login} value={login}>
            {login}
          </option>
        ))}
    </select>
  );
}

function ResolveDialog({ incident, onClose }: { incident: IncidentView; onClose: () => void }) {
  const { mutate, error, isPending } = useIncident(incident, { hasFailureToast: false });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get("note") ?? "").trim();
    mutate(
      { action: () => incidentsApi.resolve(incident.id, note), done: incidentTexts.resolvedDone },
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog title={incidentTexts.resolveTitle} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p className="about">{incidentTexts.resolveAbout(incident)}</p>
        <Field label={incidentTexts.note}>
          <textarea name="note" rows={3} maxLength={2_000} />
        </Field>
        <FormEnd save={incidentTexts.confirmResolve} isPending={isPending} error={error} onClose={onClose} />
      </form>
    </Dialog>
  );
}
