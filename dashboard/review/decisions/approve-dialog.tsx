import { useRef } from "react";
import { commentTexts } from "../../texts/comments.ts";
import { commonTexts } from "../../texts/common.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { textIn } from "../../ui/form-values.ts";
import { Field } from "../../ui/parts.tsx";

interface ApproveDialogProps {
  /** Number of screenshots. */
  count: number;
  onApprove: (note: string) => void;
  onClose: () => void;
}

/** Asks for the note of an approval. Enter approves. */
export function ApproveDialog({ count, onApprove, onClose }: ApproveDialogProps) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <Dialog title={commentTexts.approveTitle(count)} onClose={onClose}>
      <form
        ref={form}
        className="form"
        onSubmit={event => {
          event.preventDefault();
          const note = textIn(new FormData(event.currentTarget), "note");
          if (note !== "") onApprove(note);
        }}
      >
        <Field label={commentTexts.note} hint={commentTexts.noteHint}>
          <textarea
            name="note"
            rows={3}
            required
            maxLength={2000}
            autoFocus
            onKeyDown={event => {
              if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              form.current?.requestSubmit();
            }}
          />
        </Field>
        <div className="form-end">
          <button type="button" onClick={onClose}>
            {commonTexts.cancel}
          </button>
          <button type="submit" className="primary">
            {commentTexts.approve}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
