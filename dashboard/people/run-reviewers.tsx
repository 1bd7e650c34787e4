import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { peopleApi } from "../api/people.ts";
import { useMe } from "../session.tsx";
import { reviewerTexts } from "../texts/people.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { useToast } from "../ui/toast.tsx";
import { membersQuery, reviewersQuery } from "./queries.ts";

/** Shows the reviewers of a run, and lets reviewers change them. */
export function RunReviewers({ runId }: { runId: string }) {
  const { may } = useMe();
  const { data } = useQuery(reviewersQuery(runId));
  const [isAssigning, setAssigning] = useState(false);
  const reviewers = data?.reviewers ?? [];
  const named = reviewers.map(({ login, assignedBy }) =>
    assignedBy === null ? `${login} (${reviewerTexts.byRule})` : login,
  );
  const names = named.join(", ") || reviewerTexts.none;
  // The line is there while it loads, so that nothing moves.
  return (
    <p className="run-reviewers">
      <span className="quiet">{reviewerTexts.title}:</span> {data ? names : reviewerTexts.loading}{" "}
      {may("reviewer") && (
        <button type="button" className="text-button" disabled={!data} onClick={() => setAssigning(true)}>
          {reviewers.length === 0 ? reviewerTexts.assign : reviewerTexts.change}
        </button>
      )}
      {isAssigning && (
        <AssignReviewers
          runId={runId}
          assigned={reviewers.map(({ login }) => login)}
          onClose={() => setAssigning(false)}
        />
      )}
    </p>
  );
}

interface AssignReviewersProps {
  runId: string;
  assigned: readonly string[];
  onClose: () => void;
}

function AssignReviewers({ runId, assigned, onClose }: AssignReviewersProps) {
  const { session } = useMe();
  const client = useQueryClient();
  const showToast = useToast();
  const { data: members = [], isPending: isLoading } = useQuery(membersQuery(session.team?.id ?? ""));
  const able = members.flatMap(({ id, login, name, role }) =>
    login === null || role === "viewer" ? [] : [{ id, login, name }],
  );
  const { mutate, error, isPending } = useMutation({
    mutationFn: (logins: string[]) => peopleApi.putReviewers(runId, logins),
    onSuccess(answer) {
      client.setQueryData(reviewersQuery(runId).queryKey, answer);
      void client.invalidateQueries({ queryKey: ["inbox"] });
      showToast({ text: reviewerTexts.saved });
      onClose();
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(new FormData(event.currentTarget).getAll("login").map(String));
  };
  return (
    <Dialog title={reviewerTexts.dialog} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p className="about">{reviewerTexts.about}</p>
        {able.length === 0 && !isLoading && <p className="empty">{reviewerTexts.noMembers}</p>}
        <div className="reviewer-choices">
          {able.map(({ id, login, name }) => (
            <label key={id} className="check">
              <input type="checkbox" name="login" value={login} defaultChecked={assigned.includes(login)} />
              {login} {name && <span className="quiet">{name}</span>}
            </label>
          ))}
        </div>
        <FormEnd
          save={reviewerTexts.save}
          isPending={isPending || able.length === 0}
          error={error}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
