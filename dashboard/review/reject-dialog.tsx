import { useRef } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { textIn } from "../ui/form-values.ts";
import { Field } from "../ui/parts.tsx";

interface RejectDialogProps {
  /** Screenshots that it is about. */
  count: number;
  onReject: (reason: string) => void;
  onClose: () => void;
}

/** Asks for the reason, without which nobody can mend what was rejected. Enter sends it. */
export function RejectDialog({ count, onReject, onClose }: RejectDialogProps) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <Dialog title={count === 1 ? "Reject this screenshot" : `Reject ${count} screenshots`} onClose={onClose}>
      <form
        ref={form}
        className="form"
        onSubmit={event => {
          event.preventDefault();
          const reason = textIn(new FormData(event.currentTarget), "reason");
          if (reason !== "") onReject(reason);
        }}
      >
        <Field label="What is wrong" hint="Enter sends it, Shift and Enter begins a new line.">
          <textarea
            name="reason"
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
            Cancel
          </button>
          <button type="submit" className="danger">
            Reject
          </button>
        </div>
      </form>
    </Dialog>
  );
}
