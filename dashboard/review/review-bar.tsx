import type { RunView } from "../../shared/contracts/http.ts";
import { count, figure } from "../../shared/report/words.ts";
import type { Shot } from "../api/shot.ts";
import { Link } from "../location.tsx";
import { ProjectName } from "../monitors/project-name.tsx";
import { runPlace } from "../run/run-looks.ts";
import { whereOf } from "../runs/run-row.tsx";
import { Icon } from "../ui/icon.tsx";
import { isDecidable, isUndecided, needsReview } from "./decision.ts";

interface ReviewBarProps {
  run: RunView;
  shots: readonly Shot[];
  /** The one that is looked at; null when the run has none. */
  shot: Shot | null;
  /** Whether the minor changes are reviewed too. */
  hasMinor: boolean;
  mayDecide: boolean;
  canUndo: boolean;
  act: (name: string) => void;
  onQueue: () => void;
}

/** Which run this is, how much is left, and the decisions. */
export function ReviewBar({ run, shots, shot, hasMinor, mayDecide, canUndo, act, onQueue }: ReviewBarProps) {
  const reviewed = shots.filter(each => needsReview(each) || (hasMinor && each.minor));
  const total = reviewed.length;
  const left = reviewed.filter(isUndecided).length;
  return (
    <>
      <header className="review-bar">
        <Link
          className="button"
          to={runPlace(run.id)}
          aria-label="Back to the run"
          title="Back to the run (Esc)"
        >
          <Icon name="back" />
        </Link>
        <h1>
          <ProjectName project={run.project} /> <span className="quiet">{whereOf(run)}</span>
        </h1>
        <button type="button" className="queue-toggle" onClick={onQueue}>
          Queue
        </button>
        <output className="quiet">
          {left === 0 ? leftInWords(run, shots) : `${figure(left)} of ${figure(total)} left`}
        </output>
        <button
          type="button"
          aria-label="Keys"
          title="Keys (?)"
          aria-keyshortcuts="?"
          onClick={() => act("keys")}
        >
          ?
        </button>
      </header>
      {mayDecide && (
        <div className="review-decide">
          <button type="button" aria-keyshortcuts="U" disabled={!canUndo} onClick={() => act("undo")}>
            <kbd>U</kbd>Undo
          </button>
          <button
            type="button"
            className="reject"
            aria-keyshortcuts="R"
            disabled={!shot || !isDecidable(shot, "rejected")}
            onClick={() => act("reject")}
          >
            <kbd>R</kbd>Reject
          </button>
          <button
            type="button"
            className="approve"
            aria-keyshortcuts="A"
            disabled={!shot || !isDecidable(shot, "approved")}
            onClick={() => act("approve")}
          >
            <kbd>A</kbd>Approve
          </button>
        </div>
      )}
    </>
  );
}

function leftInWords({ conclusion, status }: RunView, shots: readonly Shot[]): string {
  if (status !== "completed") return status;
  const waiting = shots.filter(({ review }) => review?.state === "pending").length;
  if (waiting > 0) return `${waiting} ${waiting === 1 ? "waits" : "wait"} for others`;
  const minor = shots.filter(shot => shot.minor && isUndecided(shot)).length;
  if (conclusion === "passed" && minor > 0) return count(minor, "minor change");
  return conclusion === "approved" || conclusion === "rejected" ? conclusion : "nothing to decide";
}
