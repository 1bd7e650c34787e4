import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { CreatedTeam, TeamView } from "../../shared/contracts/teams/people.ts";
import { api } from "../api/client.ts";
import { rememberTeam } from "../api/request.ts";
import { navigate } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { commonTexts, roleNames } from "../texts/common.ts";
import { accountTexts } from "../texts/settings/settings.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { textIn } from "../ui/form-values.ts";
import { Copyable, Field } from "../ui/parts.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { canCreateTeams } from "./account-rules.ts";

/** Lists the teams of the signed-in account, to switch to or leave, and a form that creates one. */
export function OwnTeams() {
  const { session } = useMe();
  return (
    <section aria-labelledby="teams" className="section">
      <h2 id="teams">{accountTexts.teams}</h2>
      {canCreateTeams(session) && <NewTeam />}
      {session.teams.length > 0 && (
        <ul className="rows" aria-label={accountTexts.teams}>
          {session.teams.map(team => (
            <TeamRow key={team.id} team={team} />
          ))}
        </ul>
      )}
    </section>
  );
}

function TeamRow({ team }: { team: TeamView }) {
  const { session } = useMe();
  const client = useQueryClient();
  const showToast = useToast();
  const [isConfirming, setConfirming] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.leaveTeam(team.id),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
    async onSuccess() {
      if (session.team?.id === team.id) rememberTeam(null);
      showToast({ text: accountTexts.left(team.name) });
      await client.resetQueries();
    },
  });
  const isHere = session.team?.id === team.id;
  const open = () => {
    rememberTeam(team.id);
    navigate({ page: "runs", filters: {} });
    void client.resetQueries();
  };
  return (
    <li>
      <span className="row-what">
        <strong>{team.name}</strong>
        <span className="quiet">{team.deletesAt ? accountTexts.deleted : roleNames[team.role]}</span>
      </span>
      {isHere ? (
        <span className="quiet">{accountTexts.currentTeam}</span>
      ) : (
        team.deletesAt === null && (
          <button type="button" onClick={open}>
            {accountTexts.switch}
            <span className="hidden"> {team.name}</span>
          </button>
        )
      )}
      {session.actor.kind === "user" && (
        <button type="button" disabled={isPending} onClick={() => setConfirming(true)}>
          {accountTexts.leave}
          <span className="hidden"> {team.name}</span>
        </button>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={accountTexts.leaveTitle(team.name)}
          about={accountTexts.leaveAbout}
          keep={accountTexts.stay}
          confirm={accountTexts.confirmLeave}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            mutate();
          }}
        />
      )}
    </li>
  );
}

function NewTeam() {
  const client = useQueryClient();
  const showToast = useToast();
  const [made, setMade] = useState<CreatedTeam | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: api.createTeam,
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
    async onSuccess(team) {
      // An API key creates a team for others, with a first key that is shown only here.
      if (team.key !== undefined) return setMade(team);
      rememberTeam(team.id);
      navigate({ page: "settings", setting: "team" });
      await client.resetQueries();
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    mutate(textIn(new FormData(form), "name"), { onSuccess: () => form.reset() });
  };
  return (
    <>
      <form className="line-form" onSubmit={submit}>
        <Field label={accountTexts.newTeam}>
          <input name="name" required maxLength={100} autoComplete="off" />
        </Field>
        <button type="submit" disabled={isPending}>
          {accountTexts.createTeam}
        </button>
      </form>
      {made?.key !== undefined && (
        <Dialog title={accountTexts.firstKeyTitle(made.name)} onClose={() => setMade(null)}>
          <p>{accountTexts.firstKeyAbout}</p>
          <Copyable text={made.key} />
          <div className="form-end">
            <button type="button" className="primary" onClick={() => setMade(null)}>
              {commonTexts.done}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
