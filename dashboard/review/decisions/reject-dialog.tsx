import { useRef } from "react";
import { commonTexts } from "../../texts/common.ts";
import { rejectTexts } from "../../texts/review.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { textIn } from "../../ui/form-values.ts";
import { Field } from "../../ui/parts.tsx";

const NOISE = "noise";

interface RejectDialogProps {
  /** Number of screenshots. */
  count: number;
  /** @param reason null if the change is rejected as noise without one */
  onReject: (reason: string | null, isNoise: boolean) => void;
  onClose: () => void;
}

/**
 * Asks for the reason, since authors need to know what to fix. Enter submits it. A false alarm needs no
 * reason.
 */
export function RejectDialog({ count, onReject, onClose }: RejectDialogProps) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <Dialog title={rejectTexts.title(count)} onClose={onClose}>
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
        <Field label={rejectTexts.reason} hint={rejectTexts.reasonHint}>
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
        <p className="hint">{rejectTexts.noiseHint}</p>
        <div className="form-end">
          <button type="button" onClick={onClose}>
            {commonTexts.cancel}
          </button>
          <button type="submit" name={NOISE} formNoValidate>
            {rejectTexts.asNoise}
          </button>
          <button type="submit" className="danger">
            {rejectTexts.confirm(count)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function isNoiseButton(submitter: HTMLElement | null): boolean {
  return submitter instanceof HTMLButtonElement && submitter.name === NOISE;
}
