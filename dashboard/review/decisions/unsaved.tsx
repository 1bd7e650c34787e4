import { useSyncExternalStore } from "react";
import { reviewTexts } from "../../texts/review.ts";
import type { Refused } from "./outbox.ts";
import type { Decisions } from "./use-decisions.ts";

/** Shows which decisions aren't saved, why, and what to do. */
export function UnsavedDecisions({ decisions: { outbox, decide } }: { decisions: Decisions }) {
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
              decide(each.decision);
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

function decisionText({ decision: { ids, verdict, reason } }: Refused): string {
  return reviewTexts.decisionOn(ids.length, verdict, reason);
}
