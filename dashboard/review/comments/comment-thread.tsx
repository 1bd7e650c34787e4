import { useEffect, useRef, useState } from "react";
import type { CommentView } from "../../../shared/contracts/reviews/comments.ts";
import { MentionedText } from "../../people/mentioned-text.tsx";
import { useMe } from "../../session.tsx";
import { commentTexts } from "../../texts/comments.ts";
import { commonTexts } from "../../texts/common.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { fill } from "../../ui/fill.ts";
import { Time } from "../../ui/text/time.tsx";
import { CommentForm, ReplyForm } from "./comment-form.tsx";
import type { Thread } from "./threads.rule.ts";
import type { Comments } from "./use-comments.ts";

interface CommentThreadProps {
  thread: Thread;
  /** What it is on, such as a region's number. */
  place: string;
  isCurrent: boolean;
  comments: Comments;
  mayComment: boolean;
  /** Shows its region; null without one. */
  onShow: (() => void) | null;
}

/** Shows a comment with its replies. */
export function CommentThread(props: CommentThreadProps) {
  const { thread, place, isCurrent, comments, mayComment, onShow } = props;
  const { first, replies } = thread;
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) element.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <li
      ref={element}
      className="comment-thread"
      data-current={isCurrent}
      data-resolved={first.resolved !== null}
    >
      <p className="comment-place">
        {onShow ? (
          <button type="button" className="text-button" title={commentTexts.goToRegion} onClick={onShow}>
            {place}
          </button>
        ) : (
          <span className="quiet">{place}</span>
        )}
        {mayComment && (
          <button
            type="button"
            className="text-button"
            onClick={() => void comments.change(first.id, { resolved: !first.resolved }).catch(() => {})}
          >
            {first.resolved ? commentTexts.reopen : commentTexts.resolve}
          </button>
        )}
      </p>
      {[first, ...replies].map(comment => (
        <Comment
          key={comment.id}
          comment={comment}
          hasReplies={comment.id === first.id && replies.length > 0}
          comments={comments}
        />
      ))}
      {first.resolved ? (
        <p className="quiet">
          {fill(commentTexts.resolvedBy, {
            name: first.resolved.by,
            time: <Time iso={first.resolved.at} />,
          })}
        </p>
      ) : (
        mayComment && (
          <ReplyForm
            threadId={first.id}
            drafts={comments.drafts}
            isSaving={comments.isSaving}
            onSend={text => comments.create({ text, replyTo: first.id })}
          />
        )
      )}
    </li>
  );
}

interface CommentProps {
  comment: CommentView;
  hasReplies: boolean;
  comments: Comments;
}

function Comment({ comment, hasReplies, comments }: CommentProps) {
  const { id, text, by, countsAs, createdAt, editedAt, mentions, externalUrl } = comment;
  const { session, may } = useMe();
  const [edited, setEdited] = useState<string | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const isOwn = may("reviewer") && countsAs === session.countsAs;
  return (
    <div className="comment">
      <p className="comment-head">
        <strong>{by.name}</strong>{" "}
        <span className="quiet">
          {externalUrl !== null && (
            <>
              <a href={externalUrl} target="_blank" rel="noopener noreferrer">
                {commentTexts.onPullRequest}
              </a>
              {" · "}
            </>
          )}
          <Time iso={createdAt} /> {editedAt && commentTexts.edited}
        </span>
      </p>
      {edited !== null ? (
        <CommentForm
          label={commentTexts.text}
          placeholder={commentTexts.placeholder}
          submit={commentTexts.save}
          text={edited}
          onText={setEdited}
          isSaving={comments.isSaving}
          onSend={async changed => {
            await comments.change(id, { text: changed });
            setEdited(null);
          }}
          onCancel={() => setEdited(null)}
        />
      ) : (
        <p className="comment-text">
          <MentionedText text={text} mentions={mentions} />
        </p>
      )}
      {edited === null && (isOwn || may("admin")) && (
        <p className="comment-actions">
          {isOwn && (
            <button type="button" className="text-button" onClick={() => setEdited(text)}>
              {commentTexts.edit}
            </button>
          )}
          <button type="button" className="text-button" onClick={() => setConfirming(true)}>
            {hasReplies ? commentTexts.deleteThread : commentTexts.delete}
          </button>
        </p>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={commentTexts.deleteTitle}
          about={hasReplies ? commentTexts.deleteThreadAbout : commentTexts.deleteAbout}
          keep={commonTexts.cancel}
          confirm={hasReplies ? commentTexts.deleteThread : commentTexts.delete}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            void comments.remove(id).catch(() => {});
          }}
        />
      )}
    </div>
  );
}
