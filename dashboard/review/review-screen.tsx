import { useQuery } from "@tanstack/react-query";
import { type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { MODES } from "../../shared/report/page/modes.js";
import { newestQuery } from "../api/queries.ts";
import type { Screenshot } from "../api/screenshot.ts";
import type { AppLocation } from "../app-location.ts";
import { Link, leave } from "../navigation.tsx";
import { lastRunLocation } from "../run/run-view-state.ts";
import { hasSelection } from "../run/screenshot-filters.ts";
import { useMe } from "../session.tsx";
import { ReadOnly } from "../shell.tsx";
import { commentTexts } from "../texts/comments.ts";
import { ignoreTexts } from "../texts/ignore.ts";
import { reviewTexts } from "../texts/review.ts";
import { fill } from "../ui/fill.ts";
import { CommentsPanel } from "./comments/comments-panel.tsx";
import { openThreads, threadsAt } from "./comments/threads.rule.ts";
import { useComments } from "./comments/use-comments.ts";
import { ApproveDialog } from "./decisions/approve-dialog.tsx";
import { isReviewable } from "./decisions/decision.ts";
import { RejectDialog } from "./decisions/reject-dialog.tsx";
import { UnsavedDecisions, UnsavedElsewhere } from "./decisions/unsaved.tsx";
import { useDeciding } from "./decisions/use-decision-actions.ts";
import { IgnorePanel } from "./ignore/ignore-panel.tsx";
import { KeySheet } from "./key-sheet.tsx";
import { neighbor, nextUndecided } from "./queue/queue.ts";
import { QueueList } from "./queue/queue-list.tsx";
import { ReviewBar } from "./review-bar.tsx";
import { ScreenshotHeading } from "./screenshot-heading.tsx";
import { ScreenshotStage } from "./stage/screenshot-stage.tsx";
import { spotIn } from "./stage/spot.rule.ts";
import { useStageState } from "./stage/use-stage-state.ts";
import { useSwipe } from "./stage/use-swipe.ts";
import { useAddress, useViewing, type Viewing } from "./stage/use-viewing.ts";
import { viewingActions } from "./stage/viewing-actions.ts";
import { useKeys } from "./use-keys.ts";
import { useProve } from "./use-prove.ts";

/** The queue covers the screenshot then, as in review.css. */
const QUEUE_IS_OVER = "(max-width: 900px)";

interface ReviewScreenProps {
  run: RunView;
  shots: readonly Screenshot[];
  location: Extract<AppLocation, { page: "review" }>;
}

/** Reviews one screenshot after another with the keyboard. */
export function ReviewScreen({ run, shots, location }: ReviewScreenProps) {
  const { may } = useMe();
  const viewing = useViewing(shots, location);
  const mayDecide = may("reviewer") && isReviewable(run);
  const deciding = useDeciding(run.id, shots, viewing, mayDecide);
  const stageState = useStageState(viewing.shot, MODES.find(mode => mode === location.mode) ?? "side");
  useAddress(location.id, viewing, stageState.wanted);
  const [hasKeys, setHasKeys] = useState(false);
  const [hasQueue, setHasQueue] = useState(false);
  const comments = useComments(run.id);
  const [hasComments, setHasComments] = useState(location.comment !== undefined);
  const [isIgnoring, setIgnoring] = useState(false);
  const [threadId, setThreadId] = useState(location.comment ?? null);
  const commented = useMemo(() => openThreads(comments.threads), [comments.threads]);
  const [isFolded, setFolded] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const findInput = useRef<HTMLInputElement>(null);
  const { shot } = viewing;
  const openHere = threadsAt(comments.threads, shot?.id ?? null).filter(
    ({ first }) => first.resolved === null,
  ).length;
  const mayIgnore = mayDecide && run.status === "completed" && shot?.width != null;
  const stageKey = shot ? `${shot.id} ${shot.images.current} ${shot.images.baseline}` : "";
  usePreloading(viewing);
  const { data: newest } = useQuery(newestQuery(run));

  const proving = useProve(run.id, shot ?? null, may("reviewer"));
  const leaveReview = () =>
    leave(lastRunLocation(run.id), opener => opener.page === "run" && opener.id === run.id);
  const actions: Record<string, () => void> = {
    ...stageState.actions,
    ...viewingActions({
      run,
      viewing,
      shots,
      mode: stageState.mode,
      spot: () => stageState.stage.current?.spot ?? null,
      showText: deciding.showText,
    }),
    ...deciding.actions,
    filter: viewing.toggleAll,
    find: () => {
      // At once, since the next key press belongs to the field.
      flushSync(() => {
        setHasQueue(true);
        setFolded(false);
      });
      findInput.current?.focus();
    },
    prove: proving.prove,
    comments: () => {
      setHasComments(!hasComments);
      setIgnoring(false);
    },
    ignore: () => {
      if (!mayIgnore) return;
      setIgnoring(!isIgnoring);
      setHasComments(false);
    },
    queue: () => (matchMedia(QUEUE_IS_OVER).matches ? setHasQueue(!hasQueue) : setFolded(!isFolded)),
    keys: () => setHasKeys(true),
    leave: leaveReview,
    close: () => (hasQueue && matchMedia(QUEUE_IS_OVER).matches ? setHasQueue(false) : leaveReview()),
  };
  useKeys(actions);
  useSwipe(frame, stageState.stage, by => actions[by > 0 ? "next" : "previous"]?.());
  const act = (name: string) => actions[name]?.();

  return (
    <main
      className="review"
      data-queue={hasQueue}
      data-folded={isFolded}
      data-panel={isIgnoring && mayIgnore ? "ignore" : undefined}
      onMouseDown={keepFocus}
    >
      <ReviewBar
        run={run}
        shots={shots}
        shot={shot}
        hasMinor={viewing.hasMinor}
        mayDecide={mayDecide}
        canUndo={deciding.decisions.canUndo}
        act={act}
        onQueue={() => setHasQueue(!hasQueue)}
      />
      <QueueList
        {...viewing}
        currentId={shot?.id ?? ""}
        findInput={findInput}
        onFind={viewing.setFind}
        onFirst={() => {
          viewing.openFirst();
          setHasQueue(false);
        }}
        onFilter={viewing.toggleAll}
        shots={shots}
        commented={commented}
        minor={viewing.inSelection.filter(each => each.minor)}
        onMinor={() => {
          act("minor");
          setHasQueue(false);
        }}
        onApprove={mayDecide ? deciding.approve : null}
        onOpen={next => {
          viewing.open(next);
          setHasQueue(false);
        }}
      />
      <section className="review-main" aria-label={reviewTexts.screenshot}>
        <ReadOnly />
        <UnsavedElsewhere shownRunId={run.id} />
        <UnsavedDecisions decisions={deciding.decisions} />
        {newest && newest.id !== run.id && newest.createdAt > run.createdAt && (
          <p className="banner">
            <NewerRun branch={run.branch} id={newest.id} />
          </p>
        )}
        {shot ? (
          <>
            <ScreenshotHeading run={run} shot={shot} proving={proving}>
              <button
                type="button"
                className="heading-toggle"
                aria-pressed={hasComments}
                aria-keyshortcuts="T"
                onClick={() => act("comments")}
              >
                {commentTexts.open(openHere)}
              </button>
              {mayIgnore && (
                <button
                  type="button"
                  className="heading-toggle"
                  aria-pressed={isIgnoring}
                  aria-keyshortcuts="I"
                  onClick={() => act("ignore")}
                >
                  {ignoreTexts.open}
                </button>
              )}
            </ScreenshotHeading>
            <div className="stage-and-comments">
              <div className="stage-column">
                <ScreenshotStage
                  shot={shot}
                  stageState={stageState}
                  frame={frame}
                  spot={shot.id === location.shot ? spotIn(location.at) : null}
                />
              </div>
              {isIgnoring && mayIgnore && (
                <IgnorePanel
                  key={shot.id}
                  run={run}
                  shot={shot}
                  stage={stageState.stage}
                  stageKey={stageKey}
                  region={stageState.region}
                  onClose={() => setIgnoring(false)}
                />
              )}
              {hasComments && (
                <CommentsPanel
                  shot={shot}
                  stage={stageState.stage}
                  stageKey={stageKey}
                  comments={comments}
                  mayComment={may("reviewer")}
                  currentId={threadId}
                  setCurrentId={setThreadId}
                  onClose={() => setHasComments(false)}
                />
              )}
            </div>
          </>
        ) : (
          <p className="empty">
            {hasSelection(viewing.selected) ? reviewTexts.noMatch : reviewTexts.noScreenshots}
          </p>
        )}
      </section>
      {hasKeys && <KeySheet onClose={() => setHasKeys(false)} />}
      {deciding.noting && (
        <ApproveDialog
          count={deciding.noting.length}
          onClose={deciding.stopNoting}
          onApprove={deciding.approveWithNote}
        />
      )}
      {deciding.rejecting && (
        <RejectDialog
          count={deciding.rejecting.length}
          onClose={deciding.stopRejecting}
          onReject={deciding.reject}
        />
      )}
    </main>
  );
}

function NewerRun({ branch, id }: { branch: string | null; id: string }) {
  const link = <Link to={{ page: "review", id }}>{reviewTexts.reviewNewer}</Link>;
  return branch === null
    ? fill(reviewTexts.newerRun, { link })
    : fill(reviewTexts.newerRunOf, { branch, link });
}

/**
 * Prevents a click from moving the focus. Otherwise, Space would press the button again instead of fitting
 * the page.
 */
function keepFocus(event: MouseEvent): void {
  if (!(event.target instanceof Element) || !event.target.closest("button")) return;
  event.preventDefault();
  // A click ends typing.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** Loads and decodes the images of the next screenshots in advance. */
function usePreloading({ queue, shot }: Viewing): void {
  const kept = useRef<HTMLImageElement[]>([]);
  useEffect(() => {
    if (!shot) return;
    const next = [nextUndecided(queue, shot.id), neighbor(queue, shot.id, 1), neighbor(queue, shot.id, -1)];
    const addresses = next.flatMap(each =>
      each ? [each.images.baseline, each.images.current, each.images.diff] : [],
    );
    kept.current = [...new Set(addresses)]
      .filter(address => address !== null)
      .map(address => {
        const image = new Image();
        image.src = address;
        // Decoding errors are shown with the screenshot.
        image.decode().catch(() => {});
        return image;
      });
  }, [queue, shot]);
}
