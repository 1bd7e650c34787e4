import { type ReactNode, useRef } from "react";
import { COMMENT_BOUNDS } from "../../../shared/contracts/reviews/comments.ts";
import { MentionField } from "../../people/mention-field.tsx";
import { commentTexts } from "../../texts/comments.ts";
import { type Drafts, useDraft } from "./use-draft.ts";

interface CommentFormProps {
  label: string;
  placeholder: string;
  submit: string;
  text: string;
  onText: (text: string) => void;
  isSaving: boolean;
  /** Sends the comment, and then removes the text. It stays if that fails. */
  onSend: (text: string) => Promise<unknown>;
  onCancel?: (() => void) | undefined;
  /** Settings of the comment, below its text. */
  children?: ReactNode;
}

/** A field for a comment. Ctrl+Enter or Cmd+Enter sends it. */
export function CommentForm(props: CommentFormProps) {
  const { label, placeholder, submit, text, onText, isSaving, onSend, onCancel, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const send = () => {
    if (text.trim() === "" || isSaving) return;
    // A failure is shown as a message.
    onSend(text.trim()).catch(() => {});
  };
  return (
    <form
      ref={form}
      className="comment-form"
      onSubmit={event => {
        event.preventDefault();
        send();
      }}
    >
      <MentionField
        label={label}
        placeholder={placeholder}
        maxLength={COMMENT_BOUNDS.chars}
        value={text}
        onChange={onText}
        onKeyDown={event => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
          if (event.key !== "Escape") return;
          event.stopPropagation();
          event.currentTarget.blur();
          onCancel?.();
        }}
      />
      {children}
      {text.trim() !== "" && (
        <button type="submit" disabled={isSaving}>
          {submit}
        </button>
      )}
    </form>
  );
}

interface ReplyFormProps extends Pick<CommentFormProps, "isSaving" | "onSend"> {
  threadId: string;
  drafts: Drafts;
}

/** A form for a reply. */
export function ReplyForm({ threadId, drafts, isSaving, onSend }: ReplyFormProps) {
  const [{ text }, change, discard] = useDraft(drafts, threadId);
  return (
    <CommentForm
      label={commentTexts.reply}
      placeholder={commentTexts.replyPlaceholder}
      submit={commentTexts.sendReply}
      text={text}
      onText={changed => change({ text: changed })}
      isSaving={isSaving}
      onSend={async reply => {
        await onSend(reply);
        discard();
      }}
    />
  );
}
