import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { CreatedTeam, TeamView } from "../../shared/contracts/people.ts";
import { api } from "../api/client.ts";
import { rememberTeam } from "../api/request.ts";
import { goTo } from "../location.tsx";
import { useMe } from "../session.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { textIn } from "../ui/form-values.ts";
import { Copyable, Field } from "../ui/parts.tsx";
import { useSay, wordsOf } from "../ui/say.tsx";
import { mayMakeTeams } from "./may-make-teams.ts";

/** The teams of whoever has signed in, to leave, and to make more. */
export function OwnTeams() {
  const { session } = useMe();
  return (
    <section aria-labelledby="teams" className="section">
      <h2 id="teams">Teams</h2>
      {mayMakeTeams(session) && <NewTeam />}
      {session.teams.length > 0 && (
        <ul className="rows" aria-label="Teams">
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
  const say = useSay();
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.leaveTeam(team.id),
    onError: error => say({ text: wordsOf(error), isFault: true }),
    async onSuccess() {
      if (session.team?.id === team.id) rememberTeam(null);
      say({ text: `You have left ${team.name}.` });
      await client.resetQueries();
    },
  });
  const isHere = session.team?.id === team.id;
  const open = () => {
    rememberTeam(team.id);
    goTo({ page: "runs", filters: {} });
    void client.resetQueries();
  };
  return (
    <li>
      <span className="row-what">
        <strong>{team.name}</strong>
        <span className="quiet">{team.deletesAt ? "deleted" : team.role}</span>
      </span>
      {isHere ? (
        <span className="quiet">shown now</span>
      ) : (
        team.deletesAt === null && (
          <button type="button" onClick={open}>
            Show
            <span className="hidden"> {team.name}</span>
          </button>
        )
      )}
      {session.actor.kind === "user" && (
        <button type="button" disabled={isPending} onClick={() => setAsked(true)}>
          Leave …<span className="hidden"> {team.name}</span>
        </button>
      )}
      {isAsked && (
        <Dialog title={`Leave “${team.name}”?`} onClose={() => setAsked(false)}>
          <p>You see nothing of it any more, and the keys that you made in it stop working.</p>
          <div className="form-end">
            <button type="button" onClick={() => setAsked(false)}>
              Stay
            </button>
            <button
              type="button"
              className="danger"
              onClick={() => {
                setAsked(false);
                mutate();
              }}
            >
              Leave
            </button>
          </div>
        </Dialog>
      )}
    </li>
  );
}

function NewTeam() {
  const client = useQueryClient();
  const say = useSay();
  const [made, setMade] = useState<CreatedTeam | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: api.createTeam,
    onError: error => say({ text: wordsOf(error), isFault: true }),
    async onSuccess(team) {
      // A key makes a team for others, with its first key: nobody else ever sees that one.
      if (team.key !== undefined) return setMade(team);
      rememberTeam(team.id);
      goTo({ page: "settings", setting: "team" });
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
        <Field label="Name of a new team">
          <input name="name" required maxLength={100} autoComplete="off" />
        </Field>
        <button type="submit" disabled={isPending}>
          Make a team
        </button>
      </form>
      {made?.key !== undefined && (
        <Dialog title={`The first key of “${made.name}”`} onClose={() => setMade(null)}>
          <p>Copy it now: it is shown this once. Whoever has it is an admin of the new team.</p>
          <Copyable text={made.key} />
          <div className="form-end">
            <button type="button" className="primary" onClick={() => setMade(null)}>
              I have it
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
