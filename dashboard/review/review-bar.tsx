import type { RunView } from "../../shared/contracts/runs/runs.ts";
import type { Screenshot } from "../api/screenshot.ts";
import { ProjectName } from "../monitors/project-name.tsx";
import { Link } from "../navigation.tsx";
import { lastRunLocation } from "../run/run-view-state.ts";
import { subjectOf } from "../runs/run-row.tsx";
import { conclusionNames, runStatusNames } from "../texts/common.ts";
import { reviewTexts } from "../texts/review.ts";
import { Icon } from "../ui/icon.tsx";
import { isDecidable, isUndecided, needsReview } from "./decisions/decision.ts";

const QUESTION_MARK = "?";

interface ReviewBarProps {
  run: RunView;
  shots: readonly Screenshot[];
  /** Current screenshot; null if the run has none. */
  shot: Screenshot | null;
  /** Whether minor changes are reviewed too. */
  hasMinor: boolean;
  mayDecide: boolean;
  canUndo: boolean;
  act: (name: string) => void;
  onQueue: () => void;
}

/** Shows the run, the remaining screenshots, and the decisions. */
export function ReviewBar({ run, shots, shot, hasMinor, mayDecide, canUndo, act, onQueue }: ReviewBarProps) {
  const reviewed = shots.filter(each => needsReview(each) || (hasMinor && each.minor));
  const total = reviewed.length;
  const left = reviewed.filter(isUndecided).length;
  return (
    <>
      <header className="review-bar">
        <Link
          className="button"
          to={lastRunLocation(run.id)}
          aria-label={reviewTexts.backToRun}
          title={reviewTexts.backToRunTitle}
          onClick={event => {
            if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
              return;
            event.preventDefault();
            act("leave");
          }}
        >
          <Icon name="back" />
        </Link>
        <h1>
          <ProjectName project={run.project} /> <span className="quiet">{subjectOf(run)}</span>
        </h1>
        <button type="button" className="queue-toggle" onClick={onQueue}>
          {reviewTexts.queue}
        </button>
        <output className="quiet">{left === 0 ? leftText(run, shots) : reviewTexts.left(left, total)}</output>
        <button
          type="button"
          aria-label={reviewTexts.keys}
          title={reviewTexts.keysTitle}
          aria-keyshortcuts="?"
          onClick={() => act("keys")}
        >
          {QUESTION_MARK}
        </button>
      </header>
      {mayDecide && (
        <div className="review-decide">
          <button type="button" aria-keyshortcuts="U" disabled={!canUndo} onClick={() => act("undo")}>
            <kbd>U</kbd>
            {reviewTexts.undo}
          </button>
          <button
            type="button"
            className="reject"
            aria-keyshortcuts="R"
            disabled={!shot || !isDecidable(shot, "rejected")}
            onClick={() => act("reject")}
          >
            <kbd>R</kbd>
            {reviewTexts.reject}
          </button>
          <button
            type="button"
            className="approve"
            aria-keyshortcuts="A"
            disabled={!shot || !isDecidable(shot, "approved")}
            onClick={() => act("approve")}
          >
            <kbd>A</kbd>
            {reviewTexts.approve}
          </button>
        </div>
      )}
    </>
  );
}

function leftText({ conclusion, status }: RunView, shots: readonly Screenshot[]): string {
  if (status !== "completed") return runStatusNames[status];
  const waiting = shots.filter(({ review }) => review?.state === "pending").length;
  if (waiting > 0) return reviewTexts.waitForOthers(waiting);
  const minor = shots.filter(shot => shot.minor && isUndecided(shot)).length;
  if (conclusion === "passed" && minor > 0) return reviewTexts.minorChanges(minor);
  const isDecided = conclusion === "approved" || conclusion === "rejected";
  return isDecided ? conclusionNames[conclusion] : reviewTexts.nothingToReview;
}
