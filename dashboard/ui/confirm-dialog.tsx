import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  title: string;
  /** What happens, and whether it can be undone. */
  about: ReactNode;
  /** Texts of the buttons. */
  keep: string;
  confirm: string;
  isPending?: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before something is deleted or revoked. `onConfirm` closes the dialog, or waits for the outcome. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, about, keep, confirm, isPending = false, onClose, onConfirm } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{about}</p>
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
