import type { SyntheticEvent } from "react";
import type { TeamView } from "../../shared/contracts/teams/people.ts";
import { useMe } from "../session.tsx";
import { teamTexts } from "../texts/settings/settings.ts";
import { Field } from "../ui/parts.tsx";
import { useChangeTeam } from "./use-change-team.ts";

/** Shows for how long and for whom links of reports and images work. Only admins can change it. */
export function LinkSettings({ team }: { team: TeamView }) {
  const { may } = useMe();
  const { linkDays, publicLinks } = team;
  return (
    <section aria-labelledby="links" className="section">
      <h2 id="links">{teamTexts.links}</h2>
      <p className="about">
        {publicLinks ? teamTexts.publicLinks(linkDays) : teamTexts.memberLinks} {teamTexts.membersAlways}
      </p>
      {may("admin") && <LinksForm key={`${linkDays} ${publicLinks}`} team={team} />}
    </section>
  );
}

function LinksForm({ team }: { team: TeamView }) {
  const { mutate, isPending } = useChangeTeam(team, teamTexts.linksSaved);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ linkDays: Number(form.get("days")), publicLinks: form.has("public") });
  };
  return (
    <form className="line-form" onSubmit={submit}>
      <Field label={teamTexts.linkDays}>
        <input name="days" type="number" min="1" max="365" required defaultValue={team.linkDays} />
      </Field>
      <label className="check">
        <input name="public" type="checkbox" defaultChecked={team.publicLinks} />
        {teamTexts.linksArePublic}
      </label>
      <button type="submit" disabled={isPending}>
        {teamTexts.saveLinks}
      </button>
    </form>
  );
}
