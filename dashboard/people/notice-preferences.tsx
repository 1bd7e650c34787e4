import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ChangeNoticePreferences } from "../../shared/contracts/teams/notices.ts";
import { peopleApi } from "../api/people.ts";
import { useMe } from "../session.tsx";
import { noticeTexts } from "../texts/people.ts";
import { Loading, Problem } from "../ui/parts.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { noticePreferencesQuery } from "./queries.ts";

const SWITCHES = ["mentions", "decisions", "monitors"] as const;
const REVIEWS = ["assigned", "all", "none"] as const;

/** Shows what the reader is notified of. A change is saved at once. */
export function NoticePreferences() {
  const client = useQueryClient();
  const showToast = useToast();
  const { queryKey } = noticePreferencesQuery;
  const { actor, countsAs } = useMe().session;
  // Only people get emails.
  const isKey = actor.kind === "key" && countsAs === actor.id;
  const { data, error, refetch } = useQuery({ ...noticePreferencesQuery, enabled: !isKey });
  // The choice is visible while it is being saved.
  const [chosen, setChosen] = useState<ChangeNoticePreferences>({});
  const { mutate, isPending } = useMutation({
    mutationFn: (change: ChangeNoticePreferences) => peopleApi.changeNoticePreferences(change),
    onSettled: () => setChosen({}),
    onError: problem => showToast({ text: messageOf(problem), isFailure: true }),
    onSuccess(answer) {
      client.setQueryData(queryKey, answer);
      showToast({ text: noticeTexts.saved });
    },
  });
  const shown = data && { ...data, ...chosen };
  const choose = (change: ChangeNoticePreferences) => {
    // At once, so that the browser's own state of the control stays.
    setChosen(change);
    mutate(change);
  };
  return (
    <section aria-labelledby="notices" className="section">
      <h2 id="notices">{noticeTexts.title}</h2>
      {isKey && <p className="about">{noticeTexts.noUser}</p>}
      {error && !data && <Problem error={error} what={noticeTexts.thing} again={refetch} />}
      {!isKey && !data && !error && <Loading what={noticeTexts.thing} />}
      {shown && (
        <>
          <p className="about">
            {shown.email === null ? noticeTexts.noAddress : noticeTexts.address(shown.email)}
          </p>
          <div className="form notice-form">
            <fieldset className="notice-reviews">
              <legend>{noticeTexts.reviews}</legend>
              {REVIEWS.map(choice => (
                <label key={choice} className="check">
                  <input
                    type="radio"
                    name="reviews"
                    checked={shown.reviews === choice}
                    disabled={isPending}
                    onChange={() => choose({ reviews: choice })}
                  />
                  {noticeTexts.reviewChoices[choice]}
                </label>
              ))}
            </fieldset>
            {SWITCHES.map(name => (
              <label key={name} className="check">
                <input
                  type="checkbox"
                  checked={shown[name] === true}
                  disabled={isPending}
                  onChange={event => choose({ [name]: event.currentTarget.checked })}
                />
                {noticeTexts[name]}
              </label>
            ))}
          </div>
        </>
      )}
    </section>
  );
}
