import { commonTexts } from "../texts/common.ts";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  title: string;
  about: string;
  /** The text of the button that confirms. */
  confirm: string;
  isDanger?: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before an action, and says what it does. */
export function Confirm({ title, about, confirm, isDanger = false, onClose, onConfirm }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{about}</p>
      <div className="form-end">
        <button type="button" onClick={onClose}>
          {commonTexts.cancel}
        </button>
        <button
          type="button"
          className={isDanger ? "danger" : "primary"}
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {confirm}
        </button>
      </div>
    </Dialog>
  );
}
