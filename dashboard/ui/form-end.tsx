import { commonTexts } from "../texts/common.ts";
import { messageOf } from "./toast.tsx";

interface FormEndProps {
  save: string;
  isPending: boolean;
  /** A failure that belongs to no field. */
  error: Error | null;
  onClose: () => void;
}

/** Shows why a dialog's change failed. A message outside of the dialog would be behind it, and not be announced. */
export function Failure({ error }: Pick<FormEndProps, "error">) {
  if (!error) return null;
  return (
    <p className="fault" role="alert">
      {messageOf(error)}
    </p>
  );
}

/** Shows why a dialog's form was not saved, and its buttons. */
export function FormEnd({ save, isPending, error, onClose }: FormEndProps) {
  return (
    <>
      <Failure error={error} />
      <div className="form-end">
        <button type="button" onClick={onClose}>
          {commonTexts.cancel}
        </button>
        <button type="submit" className="primary" disabled={isPending}>
          {save}
        </button>
      </div>
    </>
  );
}
