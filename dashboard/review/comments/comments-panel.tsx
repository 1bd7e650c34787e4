import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Stage } from "../../../shared/report/page/stage.js";
import type { Screenshot } from "../../api/screenshot.ts";
import { commentTexts } from "../../texts/comments.ts";
import { commonTexts } from "../../texts/common.ts";
import { Problem } from "../../ui/parts.tsx";
import { CommentForm } from "./comment-form.tsx";
import { CommentThread } from "./comment-thread.tsx";
import "./comments.css";
import { type Pin, pickRegion, showPins } from "./pins.ts";
import { type Thread, threadsAt } from "./threads.rule.ts";
import type { Comments } from "./use-comments.ts";
import { useDraft } from "./use-draft.ts";

interface CommentsPanelProps {
  shot: Screenshot;
  stage: RefObject<Stage | null>;
  /** Changes when the stage shows other images. */
  stageKey: string;
  comments: Comments;
  mayComment: boolean;
  currentId: string | null;
  setCurrentId: (id: string | null) => void;
  onClose: () => void;
}

/** Shows the threads of a screenshot and its run beside the stage, and their regions on it. */
export function CommentsPanel(props: CommentsPanelProps) {
  const { shot, stage, stageKey, comments, mayComment, currentId, setCurrentId, onClose } = props;
  const [showsResolved, setShowsResolved] = useState(false);
  const here = useMemo(() => threadsAt(comments.threads, shot.id), [comments.threads, shot.id]);
  const resolved = here.filter(({ first }) => first.resolved !== null);
  const shown = here.filter(
    ({ first }) => first.resolved === null || showsResolved || first.id === currentId,
  );
  const numbers = new Map(
    here.filter(({ first }) => first.region !== null).map(({ first }, index) => [first.id, index + 1]),
  );
  const pins = shown.flatMap(({ first }): Pin[] => {
    const { id, region } = first;
    const label = String(numbers.get(id) ?? "");
    return region ? [{ id, region, label, isResolved: first.resolved !== null }] : [];
  });
  const drawn = JSON.stringify(pins);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pins are drawn again on other images
  useEffect(
    () => (stage.current ? showPins(stage.current, pins, setCurrentId) : undefined),
    [stage, drawn, stageKey, setCurrentId],
  );
  const panel = useRef<HTMLElement>(null);
  // Without a thread to read, the reader wants to write one.
  const isEmpty = useRef(here.length === 0 && currentId === null);
  useEffect(() => {
    if (isEmpty.current) panel.current?.querySelector("textarea")?.focus({ preventScroll: true });
  }, []);
  const placeOf = ({ first }: Thread) => {
    if (first.screenshotId === null) return commentTexts.onRun;
    return first.region ? commentTexts.onRegion(numbers.get(first.id) ?? 0) : commentTexts.onScreenshot;
  };
  return (
    <aside ref={panel} className="comments" aria-label={commentTexts.title}>
      <div className="comments-head">
        <h3>{commentTexts.title}</h3>
        <button type="button" onClick={onClose}>
          {commonTexts.close}
        </button>
      </div>
      {comments.error !== null && (
        <Problem error={comments.error} what={commentTexts.thing} again={comments.refetch} />
      )}
      {shown.length === 0 && comments.error === null && <p className="quiet">{commentTexts.empty}</p>}
      <ol className="comment-threads">
        {shown.map(thread => {
          const { id, region } = thread.first;
          const show = () => {
            setCurrentId(id);
            if (region) stage.current?.center(region);
          };
          return (
            <CommentThread
              key={id}
              thread={thread}
              place={placeOf(thread)}
              isCurrent={id === currentId}
              comments={comments}
              mayComment={mayComment}
              onShow={region ? show : null}
            />
          );
        })}
      </ol>
      {resolved.length > 0 && (
        <button type="button" className="text-button" onClick={() => setShowsResolved(!showsResolved)}>
          {showsResolved ? commentTexts.hideResolved : commentTexts.showResolved(resolved.length)}
        </button>
      )}
      {mayComment ? (
        <NewComment key={shot.id} {...{ shot, stage, stageKey, comments }} onAdded={setCurrentId} />
      ) : (
        <p className="quiet">{commentTexts.forReviewers}</p>
      )}
    </aside>
  );
}

interface NewCommentProps extends Pick<CommentsPanelProps, "shot" | "stage" | "stageKey" | "comments"> {
  onAdded: (id: string) => void;
}

function NewComment({ shot, stage, stageKey, comments, onAdded }: NewCommentProps) {
  const [{ text, region, isAboutRun }, change, discard] = useDraft(comments.drafts, shot.id);
  const [isPicking, setPicking] = useState(false);
  useEffect(() => {
    if (!isPicking || !stage.current) return;
    return pickRegion(stage.current, picked => {
      setPicking(false);
      if (picked) change({ region: picked });
    });
  }, [isPicking, stage, change]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pin is drawn again on other images
  useEffect(() => {
    if (!region || !stage.current) return;
    const pin = { id: "", region, label: "", isResolved: false };
    return showPins(stage.current, [pin], () => {});
  }, [region, stage, stageKey]);
  return (
    <CommentForm
      label={commentTexts.text}
      placeholder={commentTexts.placeholder}
      submit={commentTexts.send}
      text={text}
      onText={changed => change({ text: changed })}
      isSaving={comments.isSaving}
      onSend={async comment => {
        const place = isAboutRun ? {} : { screenshot: shot.id, ...(region && { region }) };
        const { id } = await comments.create({ text: comment, ...place });
        discard();
        onAdded(id);
      }}
    >
      <div className="comment-pin">
        {region ? (
          <>
            <span className="quiet">{commentTexts.pinned(region.width, region.height)}</span>{" "}
            <button type="button" className="text-button" onClick={() => change({ region: null })}>
              {commentTexts.unpin}
            </button>
          </>
        ) : (
          <button
            type="button"
            aria-pressed={isPicking}
            disabled={isAboutRun || shot.width === null}
            onClick={() => setPicking(!isPicking)}
          >
            {commentTexts.pin}
          </button>
        )}
        {isPicking && <p role="status">{commentTexts.pinning}</p>}
        {!region && (
          <label className="check">
            <input
              type="checkbox"
              checked={isAboutRun}
              onChange={event => {
                change({ isAboutRun: event.currentTarget.checked });
                event.currentTarget.blur();
              }}
            />
            {commentTexts.aboutRun}
          </label>
        )}
      </div>
    </CommentForm>
  );
}
