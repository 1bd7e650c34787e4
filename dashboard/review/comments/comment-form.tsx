import { type ReactNode, useRef, useState } from "react";
import { COMMENT_BOUNDS } from "../../../shared/contracts/runs/comments.ts";
import { MentionField } from "../../people/mention-field.tsx";
import { commentTexts } from "../../texts/comments.ts";

interface CommentFormProps {
  label: string;
  placeholder: string;
  submit: string;
  initial?: string;
  isSaving: boolean;
  /** Sends the comment. The text stays if that fails. */
  onSend: (text: string) => Promise<unknown>;
  onCancel?: (() => void) | undefined;
  /** Settings of the comment, below its text. */
  children?: ReactNode;
}

/** A field for a comment. Ctrl+Enter or Cmd+Enter sends it. */
export function CommentForm(props: CommentFormProps) {
  const { label, placeholder, submit, initial = "", isSaving, onSend, onCancel, children } = props;
  const [text, setText] = useState(initial);
  const form = useRef<HTMLFormElement>(null);
  const send = () => {
    if (text.trim() === "" || isSaving) return;
    // A failure is shown as a message.
    onSend(text.trim()).then(
      () => setText(initial && text),
      () => {},
    );
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
        onChange={setText}
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

/** A form for a reply. */
export function ReplyForm({ isSaving, onSend }: Pick<CommentFormProps, "isSaving" | "onSend">) {
  return (
    <CommentForm
      label={commentTexts.reply}
      placeholder={commentTexts.replyPlaceholder}
      submit={commentTexts.sendReply}
      isSaving={isSaving}
      onSend={onSend}
    />
  );
}
