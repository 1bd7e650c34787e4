import { useState } from "react";
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

interface ConfirmedButtonProps extends Omit<ConfirmProps, "onClose"> {
  disabled?: boolean;
}

/** A button that asks before its action, and says what it does. */
export function ConfirmedButton({ disabled, ...asked }: ConfirmedButtonProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <button type="button" disabled={disabled} onClick={() => setAsked(true)}>
        {asked.confirm}
      </button>
      {isAsked && <Confirm {...asked} onClose={() => setAsked(false)} />}
    </>
  );
}

function Confirm({ title, about, confirm, isDanger = false, onClose, onConfirm }: ConfirmProps) {
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
