import { useSyncExternalStore } from "react";
import { count } from "../../shared/report/words.ts";
import type { Decision } from "./decision.ts";
import type { Decisions } from "./use-decisions.ts";

/** Which decisions the service does not have, why, and what can be done about it. */
export function UnsavedDecisions({ decisions: { outbox, decide } }: { decisions: Decisions }) {
  const { waiting, refused, trouble } = useSyncExternalStore(
    listener => outbox.subscribe(listener),
    () => outbox.unsaved,
  );
  return (
    <div className="unsaved" role="alert">
      {trouble !== null && waiting.length > 0 && (
        <p className="banner">
          <strong>{count(waiting.length, "decision")} not saved yet.</strong> {trouble}{" "}
          <button type="button" className="text-button" onClick={() => outbox.resume()}>
            Try now
          </button>
        </p>
      )}
      {refused.map(each => (
        <p className="banner" key={JSON.stringify(each)}>
          <strong>That was not saved.</strong> {each.why}{" "}
          <span className="quiet">{inWords(each.decision)}</span>{" "}
          <button
            type="button"
            className="text-button"
            onClick={() => {
              outbox.forget(each);
              decide(each.decision);
            }}
          >
            Try again
          </button>{" "}
          <button type="button" className="text-button" onClick={() => outbox.forget(each)}>
            Leave it
          </button>
        </p>
      ))}
    </div>
  );
}

function inWords({ ids, verdict, reason }: Decision): string {
  const what = `${count(ids.length, "screenshot")} ${verdict ?? "taken back"}`;
  return `(${what}${reason ? `: ${reason}` : ""})`;
}
