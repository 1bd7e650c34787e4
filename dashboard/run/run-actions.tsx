import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { RunView } from "../../shared/contracts/http.ts";
import { isEnded } from "../../shared/is-ended.ts";
import { count, figure } from "../../shared/report/words.ts";
import { api } from "../api/client.ts";
import { runQuery } from "../api/queries.ts";
import type { Shot } from "../api/shot.ts";
import { Link } from "../location.tsx";
import { isOpen, isUndecided } from "../review/decision.ts";
import { firstMinor } from "../review/queue.ts";
import { RejectDialog } from "../review/reject-dialog.tsx";
import { useMe } from "../session.tsx";
import { useSay, wordsOf } from "../ui/say.tsx";
import { type OwnDecisions, ownDecisions } from "./own-decisions.ts";
import { RevokeLinks } from "./revoke-links.tsx";

interface RunActionsProps {
  run: RunView;
  shots: readonly Shot[];
  /** Whether these are all: what is decided as a whole must be the whole. */
  isWhole: boolean;
  mayDecide: boolean;
  onApprove: () => void;
  onReject: (reason: string | null, isNoise: boolean) => void;
  onTakeBack: (own: OwnDecisions) => void;
}

/** What can be done with the run by who looks at it. */
export function RunActions(props: RunActionsProps) {
  const { run, shots, isWhole, mayDecide, onApprove, onReject, onTakeBack } = props;
  const { may, session } = useMe();
  const [isRejecting, setRejecting] = useState(false);
  const open = shots.filter(isOpen);
  const minor = shots.filter(shot => shot.minor && isUndecided(shot));
  const first = mayDecide && isWhole && minor.length > 0 ? firstMinor(shots) : null;
  const own = mayDecide && open.length === 0 ? ownDecisions(shots) : null;
  return (
    <div className="actions">
      {shots.some(shot => shot.status !== "pending") && (
        <Link
          className={open.length > 0 && mayDecide ? "button primary" : "button"}
          to={{ page: "review", id: run.id }}
        >
          {open.length > 0 && mayDecide ? `Review ${isWhole ? figure(open.length) : "…"}` : "Look through"}
        </Link>
      )}
      {mayDecide && open.length > 0 && (
        <>
          <button type="button" disabled={!isWhole} onClick={onApprove}>
            Approve all
          </button>
          <button type="button" disabled={!isWhole} onClick={() => setRejecting(true)}>
            Reject …
          </button>
        </>
      )}
      {first && (
        <Link className="button" to={{ page: "review", id: run.id, shot: first.id }} aria-keyshortcuts="M">
          Review {count(minor.length, "minor change")}
        </Link>
      )}
      {own && (
        <button type="button" disabled={!isWhole} onClick={() => onTakeBack(own)}>
          Take {own.name === "decisions" ? "my" : "the"} {own.name} back
        </button>
      )}
      {!isEnded(run.status) && may("reviewer") && <CancelButton id={run.id} />}
      <a className="button" href={reportLink(run)} target="_blank" rel="noreferrer">
        Report
      </a>
      {session.team?.publicLinks && may("reviewer") && <RevokeLinks id={run.id} />}
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

function CancelButton({ id }: { id: string }) {
  const client = useQueryClient();
  const say = useSay();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.cancelRun(id),
    onSuccess: run => client.setQueryData(runQuery(id).queryKey, run),
    onError: error => say({ text: wordsOf(error), isFault: true }),
  });
  return (
    <button type="button" disabled={isPending} onClick={() => mutate()}>
      Cancel the run
    </button>
  );
}

/** The report as seen from the page, which may have been opened under another name of the service. */
function reportLink({ links }: RunView): string {
  return links.report.slice(links.report.indexOf("/v1/reports/") + 1);
}
