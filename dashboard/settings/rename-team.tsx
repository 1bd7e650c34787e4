import type { SyntheticEvent } from "react";
import type { TeamView } from "../../shared/contracts/people.ts";
import { textIn } from "../ui/form-values.ts";
import { Field } from "../ui/parts.tsx";
import { useChangeTeam } from "./use-change-team.ts";

/** Gives the team another name, for admins. */
export function RenameTeam({ team }: { team: TeamView }) {
  const { mutate, isPending } = useChangeTeam(team, "Renamed.");
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate({ name: textIn(new FormData(event.currentTarget), "name") });
  };
  return (
    <section aria-labelledby="name" className="section">
      <h2 id="name">Name</h2>
      <form key={team.name} className="line-form" onSubmit={submit}>
        <Field label="Name of the team">
          <input name="name" required maxLength={100} defaultValue={team.name} autoComplete="off" />
        </Field>
        <button type="submit" disabled={isPending}>
          Rename
        </button>
      </form>
    </section>
  );
}
