import type { SyntheticEvent } from "react";
import type { TeamView } from "../../shared/contracts/teams/people.ts";
import { useMe } from "../session.tsx";
import { teamTexts } from "../texts/settings/settings.ts";
import { Field } from "../ui/parts.tsx";
import { useChangeTeam } from "./use-change-team.ts";

/** Shows the team's review rules. Only admins can change them. */
export function ReviewSettings({ team }: { team: TeamView }) {
  const { may } = useMe();
  const { requiredApprovals: required, allowSelfApproval } = team;
  return (
    <section aria-labelledby="reviews" className="section">
      <h2 id="reviews">{teamTexts.reviews}</h2>
      <p className="about">
        {teamTexts.requiredApprovals(required)} {teamTexts.selfApproval(allowSelfApproval)}
      </p>
      {may("admin") && <SettingsForm key={`${required} ${allowSelfApproval}`} team={team} />}
    </section>
  );
}

function SettingsForm({ team }: { team: TeamView }) {
  const { mutate, isPending } = useChangeTeam(team, teamTexts.reviewsSaved);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ requiredApprovals: Number(form.get("approvals")), allowSelfApproval: form.has("self") });
  };
  return (
    <form className="line-form" onSubmit={submit}>
      <Field label={teamTexts.approvals}>
        <input
          name="approvals"
          type="number"
          min="1"
          max="10"
          required
          defaultValue={team.requiredApprovals}
        />
      </Field>
      <label className="check">
        <input name="self" type="checkbox" defaultChecked={team.allowSelfApproval} />
        {teamTexts.allowSelfApproval}
      </label>
      <button type="submit" disabled={isPending}>
        {teamTexts.saveReviews}
      </button>
    </form>
  );
}
