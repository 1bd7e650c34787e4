import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { api } from "../api/client.ts";
import { runQuery } from "../api/queries.ts";
import type { Screenshot } from "../api/screenshot.ts";
import { Link } from "../navigation.tsx";
import { isOpen, isUndecided } from "../review/decisions/decision.ts";
import { RejectDialog } from "../review/decisions/reject-dialog.tsx";
import { firstMinor } from "../review/queue/queue.ts";
import { useMe } from "../session.tsx";
import { runTexts } from "../texts/runs/run.ts";
import { messageOf, useToast } from "../ui/toast.tsx";
import { type OwnDecisions, ownDecisions } from "./own-decisions.ts";
import { RunMenu } from "./run-menu.tsx";
import { filterQuery, matchingScreenshots, type ScreenshotFilters } from "./screenshot-filters.ts";

interface RunActionsProps {
  run: RunView;
  shots: readonly Screenshot[];
  /** Whether these are all screenshots. Approving a whole run needs all of them. */
  isWhole: boolean;
  mayDecide: boolean;
  /** The filters of the page. The review keeps them. */
  filters: ScreenshotFilters;
  onApprove: () => void;
  onReject: (reason: string | null, isNoise: boolean) => void;
  onUndo: (own: OwnDecisions) => void;
}

/** Shows the actions on the run. */
export function RunActions(props: RunActionsProps) {
  const { run, shots, isWhole, mayDecide, filters, onApprove, onReject, onUndo } = props;
  const { may } = useMe();
  const [isRejecting, setRejecting] = useState(false);
  const open = shots.filter(isOpen);
  const openHere = matchingScreenshots(open, filters).length;
  const minor = shots.filter(shot => shot.minor && isUndecided(shot));
  const first = mayDecide && isWhole && minor.length > 0 ? firstMinor(shots) : null;
  const own = mayDecide && open.length === 0 ? ownDecisions(shots) : null;
  return (
    <div className="actions">
      {shots.some(shot => shot.status !== "pending") && (
        <Link
          className={open.length > 0 && mayDecide ? "button primary" : "button"}
          to={{ page: "review", id: run.id, ...filterQuery(filters) }}
        >
          {openHere > 0 && mayDecide ? reviewLabel(openHere, isWhole) : runTexts.view}
        </Link>
      )}
      {mayDecide && open.length > 0 && (
        <>
          <button type="button" disabled={!isWhole} onClick={onApprove}>
            {runTexts.approve}
          </button>
          <button type="button" disabled={!isWhole} onClick={() => setRejecting(true)}>
            {runTexts.reject}
          </button>
        </>
      )}
      {first && (
        <Link className="button" to={{ page: "review", id: run.id, shot: first.id }} aria-keyshortcuts="M">
          {runTexts.reviewMinor(minor.length)}
        </Link>
      )}
      {own && (
        <button type="button" disabled={!isWhole} onClick={() => onUndo(own)}>
          {runTexts.undoOwn(own.name)}
        </button>
      )}
      {!isEnded(run.status) && may("reviewer") && <CancelButton id={run.id} />}
      <a className="button" href={reportLink(run)} target="_blank" rel="noreferrer">
        {runTexts.openReport}
      </a>
      <RunMenu run={run} />
      {isRejecting && (
        <RejectDialog
          count={open.length}
          onClose={() => setRejecting(false)}
          onReject={(reason, isNoise) => {
            setRejecting(false);
            onReject(reason, isNoise);
          }}
        />
      )}
    </div>
  );
}

function reviewLabel(open: number, isWhole: boolean): string {
  return isWhole ? runTexts.review(open) : runTexts.reviewUncounted;
}

function CancelButton({ id }: { id: string }) {
  const client = useQueryClient();
  const showToast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.cancelRun(id),
    onSuccess: run => client.setQueryData(runQuery(id).queryKey, run),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
  });
  return (
    <button type="button" disabled={isPending} onClick={() => mutate()}>
      {runTexts.cancel}
    </button>
  );
}

/**
 * Returns the report's URL relative to the page, which may have been opened under another name of the
 * service.
 */
function reportLink({ links }: RunView): string {
  return links.report.slice(links.report.indexOf("/v1/reports/") + 1);
}
