import type { SyntheticEvent } from "react";
import type { TeamView } from "../../shared/contracts/people.ts";
import { count } from "../../shared/report/words.ts";
import { useMe } from "../session.tsx";
import { Field } from "../ui/parts.tsx";
import { useChangeTeam } from "./use-change-team.ts";

/** How long links of reports and images open, and for whom: for admins to change, for others to read. */
export function LinkSettings({ team }: { team: TeamView }) {
  const { may } = useMe();
  const { linkDays, publicLinks } = team;
  return (
    <section aria-labelledby="links" className="section">
      <h2 id="links">Links</h2>
      <p className="about">
        {publicLinks
          ? `Anyone with the link of a report or an image can open it for ${count(linkDays, "day")}. `
          : "Only members of the team can open links of reports and images. "}
        Members who sign in can open them at any time.
      </p>
      {may("admin") && <LinksForm key={`${linkDays} ${publicLinks}`} team={team} />}
    </section>
  );
}

function LinksForm({ team }: { team: TeamView }) {
  const { mutate, isPending } = useChangeTeam(team, "Saved. This applies to existing links too.");
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ linkDays: Number(form.get("days")), publicLinks: form.has("public") });
  };
  return (
    <form className="line-form" onSubmit={submit}>
      <Field label="Days until links expire">
        <input name="days" type="number" min="1" max="365" required defaultValue={team.linkDays} />
      </Field>
      <label className="check">
        <input name="public" type="checkbox" defaultChecked={team.publicLinks} />
        Links open without signing in
      </label>
      <button type="submit" disabled={isPending}>
        Save link settings
      </button>
    </form>
  );
}
