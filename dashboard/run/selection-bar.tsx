import { useState } from "react";
import type { Screenshot } from "../api/screenshot.ts";
import { isDecidable } from "../review/decisions/decision.ts";
import { RejectDialog } from "../review/decisions/reject-dialog.tsx";
import { runTexts } from "../texts/runs/run.ts";

interface SelectionBarProps {
  /** The selected screenshots. */
  shots: readonly Screenshot[];
  onApprove: (shots: readonly Screenshot[]) => void;
  onReject: (shots: readonly Screenshot[], reason: string | null, isNoise: boolean) => void;
  onClear: () => void;
}

/** Decides on the selected screenshots together. */
export function SelectionBar({ shots, onApprove, onReject, onClear }: SelectionBarProps) {
  const [isRejecting, setRejecting] = useState(false);
  if (shots.length === 0) return null;
  const approvable = shots.filter(shot => isDecidable(shot, "approved"));
  const rejectable = shots.filter(shot => isDecidable(shot, "rejected"));
  return (
    <div className="selection-bar" role="toolbar" aria-label={runTexts.selection}>
      <output>{runTexts.selected(shots.length)}</output>
      <button
        type="button"
        className="primary"
        disabled={approvable.length === 0}
        onClick={() => onApprove(approvable)}
      >
        {runTexts.approveSome(approvable.length)}
      </button>
      <button type="button" disabled={rejectable.length === 0} onClick={() => setRejecting(true)}>
        {runTexts.rejectSome(rejectable.length)}
      </button>
      <button type="button" onClick={onClear}>
        {runTexts.clearSelection}
      </button>
      {isRejecting && (
        <RejectDialog
          count={rejectable.length}
          onClose={() => setRejecting(false)}
          onReject={(reason, isNoise) => {
            setRejecting(false);
            onReject(rejectable, reason, isNoise);
          }}
        />
      )}
    </div>
  );
}
