import { useRef } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { textIn } from "../ui/form-values.ts";
import { Field } from "../ui/parts.tsx";

const NOISE = "noise";

interface RejectDialogProps {
  /** Screenshots that it is about. */
  count: number;
  /** @param reason null where the change is rejected as noise without one */
  onReject: (reason: string | null, isNoise: boolean) => void;
  onClose: () => void;
}

/** Asks for the reason, without which there is nothing to fix. Enter sends it. A false alarm needs none. */
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
          const isNoise = isNoiseButton(event.nativeEvent.submitter);
          if (reason !== "" || isNoise) onReject(reason || null, isNoise);
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
        <p className="hint">
          Noise is a false alarm: the page differs although nothing was changed. Three in the same place
          suggest an ignore region.
        </p>
        <div className="form-end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" name={NOISE} formNoValidate>
            Reject as noise
          </button>
          <button type="submit" className="danger">
            Reject
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function isNoiseButton(submitter: HTMLElement | null): boolean {
  return submitter instanceof HTMLButtonElement && submitter.name === NOISE;
}
