import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SyntheticEvent } from "react";
import type { TeamView } from "../../shared/contracts/people.ts";
import { api } from "../api/client.ts";
import { sessionQuery } from "../api/queries.ts";
import { useMe } from "../session.tsx";
import { Field } from "../ui/parts.tsx";
import { useSay, wordsOf } from "../ui/say.tsx";

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
  const client = useQueryClient();
  const say = useSay();
  const { mutate, isPending } = useMutation({
    mutationFn: (form: FormData) =>
      api.changeTeam(team.id, {
        requiredApprovals: Number(form.get("approvals")),
        allowSelfApproval: form.has("self"),
      }),
    onError: error => say({ text: wordsOf(error), isFault: true }),
    onSuccess(changed) {
      say({ text: "Saved. It holds for what is not decided yet, at its next review." });
      void client.invalidateQueries({ queryKey: ["activity", team.id] });
      // Word of it may still be on its way to the node that would be asked.
      client.setQueryData(sessionQuery.queryKey, session => {
        const now = (one: TeamView) => (one.id === changed.id ? changed : one);
        return (
          session && { ...session, team: session.team && now(session.team), teams: session.teams.map(now) }
        );
      });
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(new FormData(event.currentTarget));
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
        Save
      </button>
    </form>
  );
}
