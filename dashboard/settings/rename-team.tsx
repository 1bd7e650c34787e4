import type { SyntheticEvent } from "react";
import type { TeamView } from "../../shared/contracts/teams/people.ts";
import { teamTexts } from "../texts/settings/settings.ts";
import { textIn } from "../ui/form-values.ts";
import { Field } from "../ui/parts.tsx";
import { useChangeTeam } from "./use-change-team.ts";

/** Renames the team, for admins. */
export function RenameTeam({ team }: { team: TeamView }) {
  const { mutate, isPending } = useChangeTeam(team, teamTexts.renamed);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate({ name: textIn(new FormData(event.currentTarget), "name") });
  };
  return (
    <section aria-labelledby="name" className="section">
      <h2 id="name">{teamTexts.nameSection}</h2>
      <form key={team.name} className="line-form" onSubmit={submit}>
        <Field label={teamTexts.name}>
          <input name="name" required maxLength={100} defaultValue={team.name} autoComplete="off" />
        </Field>
        <button type="submit" disabled={isPending}>
          {teamTexts.rename}
        </button>
      </form>
    </section>
  );
}
