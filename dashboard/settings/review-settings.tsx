import type { SyntheticEvent } from "react";
import type { TeamView } from "../../shared/contracts/people.ts";
import { useMe } from "../session.tsx";
import { Field } from "../ui/parts.tsx";
import { useChangeTeam } from "./use-change-team.ts";

/** What the team asks of reviews: for admins to change, for others to read. */
export function ReviewSettings({ team }: { team: TeamView }) {
  const { may } = useMe();
  const { requiredApprovals: required, allowSelfApproval } = team;
  return (
    <section aria-labelledby="reviews" className="section">
      <h2 id="reviews">Reviews</h2>
      <p className="about">
        {required === 1
          ? "One approval approves a screenshot. "
          : `${required} people must approve a screenshot before it is approved. `}
        {allowSelfApproval
          ? "Who submitted a run may approve it."
          : "Who submitted a run cannot approve it; she may reject it."}
      </p>
      {may("admin") && <SettingsForm key={`${required} ${allowSelfApproval}`} team={team} />}
    </section>
  );
}

function SettingsForm({ team }: { team: TeamView }) {
  const { mutate, isPending } = useChangeTeam(
    team,
    "Saved. It holds for what is not decided yet, at its next review.",
  );
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ requiredApprovals: Number(form.get("approvals")), allowSelfApproval: form.has("self") });
  };
  return (
    <form className="line-form" onSubmit={submit}>
      <Field label="Approvals that a screenshot needs">
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
        Who submitted a run may approve it
      </label>
      <button type="submit" disabled={isPending}>
        Save review settings
      </button>
    </form>
  );
}
