import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { api } from "../api/client.ts";
import { Link, navigate } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { compareTexts } from "../texts/runs/compare.ts";
import { runTexts } from "../texts/runs/run.ts";
import { ActionMenu } from "../ui/action-menu.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { RevokeLinksDialog } from "./revoke-links.tsx";

const ITEM = { role: "menuitem", tabIndex: -1 } as const;

/** Shows the rare actions on a run: to repeat it, to compare it, and to revoke its links. */
export function RunMenu({ run }: { run: RunView }) {
  const { may, session } = useMe();
  const showToast = useToast();
  const [isRevoking, setRevoking] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: (only: "failed" | undefined) => api.rerun(run.id, only ? { only } : {}),
    onSuccess: started => {
      navigate({ page: "run", id: started.id });
      showToast({ text: runTexts.rerunStarted });
    },
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
  });
  const mayRepeat = may("reviewer") && isRepeatable(run);
  const mayRevoke = may("reviewer") && session.team?.publicLinks === true;
  const { failed } = run.counts;
  if (!isEnded(run.status) && !mayRevoke) return null;
  return (
    <>
      <ActionMenu label={runTexts.more}>
        {mayRepeat && failed > 0 && (
          <button {...ITEM} type="button" disabled={isPending} onClick={() => mutate("failed")}>
            {runTexts.rerunFailed(failed)}
          </button>
        )}
        {mayRepeat && (
          <button {...ITEM} type="button" disabled={isPending} onClick={() => mutate(undefined)}>
            {runTexts.rerun}
          </button>
        )}
        {isEnded(run.status) && (
          <Link {...ITEM} className="button" to={{ page: "compare", head: `run:${run.id}` }}>
            {compareTexts.compareWith}
          </Link>
        )}
        {mayRevoke && (
          <button {...ITEM} type="button" onClick={() => setRevoking(true)}>
            {runTexts.revokeLinks}
          </button>
        )}
      </ActionMenu>
      {isRevoking && <RevokeLinksDialog id={run.id} onClose={() => setRevoking(false)} />}
    </>
  );
}

/** Uploaded screenshots can't be captured again. */
function isRepeatable({ status, kind, source }: RunView): boolean {
  return isEnded(status) && kind === "run" && source === "capture";
}
