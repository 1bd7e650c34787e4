import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./form-end.tsx";

interface ConfirmDialogProps {
  title: string;
  /** What happens, and whether it can be undone. */
  about: ReactNode;
  /** Texts of the buttons. */
  keep: string;
  confirm: string;
  isPending?: boolean;
  /** Why it failed, in a dialog that waits for the outcome. */
  error?: Error | null;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before something is deleted or revoked. `onConfirm` closes the dialog, or waits for the outcome. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, about, keep, confirm, isPending = false, error = null, onClose, onConfirm } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{about}</p>
      <Failure error={error} />
      <div className="form-end">
        <button type="button" onClick={onClose}>
          {keep}
        </button>
        <button type="button" className="danger" disabled={isPending} onClick={onConfirm}>
          {confirm}
        </button>
      </div>
    </Dialog>
  );
}
