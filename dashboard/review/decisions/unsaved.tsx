import { useSyncExternalStore } from "react";
import { Link } from "../../navigation.tsx";
import { useMe } from "../../session.tsx";
import { reviewTexts } from "../../texts/review.ts";
import { readUnsaved, subscribeToUnsaved } from "./decision-stores.ts";
import type { Refused } from "./outbox.ts";
import type { Decisions } from "./use-decisions.ts";

/** Shows which decisions aren't saved, why, and what to do. */
export function UnsavedDecisions({ decisions: { outbox, resend } }: { decisions: Decisions }) {
  const { waiting, refused, trouble } = useSyncExternalStore(
    listener => outbox.subscribe(listener),
    () => outbox.unsaved,
  );
  return (
    <div className="unsaved" role="alert">
      {trouble !== null && waiting.length > 0 && (
        <p className="banner">
          <strong>{reviewTexts.notSavedYet(waiting.length)}</strong> {trouble}{" "}
          <button type="button" className="text-button" onClick={() => outbox.retry()}>
            {reviewTexts.retryNow}
          </button>
        </p>
      )}
      {refused.map(each => (
        <p className="banner" key={JSON.stringify(each)}>
          <strong>{reviewTexts.notSaved}</strong> {each.why}{" "}
          <span className="quiet">{decisionText(each)}</span>{" "}
          <button
            type="button"
            className="text-button"
            onClick={() => {
              outbox.dismiss(each);
              resend(each.decision);
            }}
          >
            {reviewTexts.retry}
          </button>{" "}
          <button type="button" className="text-button" onClick={() => outbox.dismiss(each)}>
            {reviewTexts.discard}
          </button>
        </p>
      ))}
    </div>
  );
}

/** Shows that decisions on other runs aren't saved, with links to them. @param shownRunId whose page shows its own */
export function UnsavedElsewhere({ shownRunId }: { shownRunId: string | null }) {
  const { countsAs, team } = useMe().session;
  const all = useSyncExternalStore(subscribeToUnsaved, readUnsaved);
  const own = all.filter(
    ({ run, countsAs: by }) => by === countsAs && run.team === (team?.id ?? null) && run.id !== shownRunId,
  );
  if (own.length === 0) return null;
  return (
    <div className="unsaved" role="alert">
      {own.map(({ run, decisions }) => (
        <p className="banner" key={run.id}>
          <strong>{reviewTexts.notSavedElsewhere(decisions)}</strong>{" "}
          <Link to={{ page: "run", id: run.id }}>{reviewTexts.openUnsaved}</Link>
        </p>
      ))}
    </div>
  );
}

function decisionText({ decision: { ids, verdict, reason } }: Refused): string {
  return reviewTexts.decisionOn(ids.length, verdict, reason);
}
