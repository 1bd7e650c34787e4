import { instability, sizeChange } from "../../shared/report/words.ts";
import type { Shot } from "../api/shot.ts";
import { Icon } from "../ui/icon.tsx";

/** What must be read before trusting the screenshot. */
export function Remarks({ shot }: { shot: Shot }) {
  const size = sizeChange(shot);
  const isEmpty =
    shot.error === null && shot.stable && size === null && shot.notes.length === 0 && !shot.reviewReason;
  if (isEmpty) return null;
  return (
    <ul className="remarks">
      {shot.error !== null && <li data-standing="failed">{shot.error}</li>}
      {shot.reviewReason && <li data-standing="rejected">Rejected: {shot.reviewReason}</li>}
      {!shot.stable && (
        <li data-standing="unstable">
          <Icon name="unstable" />
          {instability(shot)}
        </li>
      )}
      {size !== null && <li>The page became {size}.</li>}
      {shot.notes.map(note => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
