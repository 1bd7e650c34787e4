import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client.ts";
import { runQuery } from "../api/queries.ts";
import { runTexts } from "../texts/run.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";

/** Revokes the shared links of a run, after a confirmation. */
export function RevokeLinks({ id }: { id: string }) {
  const client = useQueryClient();
  const showToast = useToast();
  const [isConfirming, setConfirming] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.revokeLinks(id),
    onSuccess(run) {
      client.setQueryData(runQuery(id).queryKey, run);
      // The images on this page get new links too.
      for (const list of ["shots", "first-shots"]) void client.invalidateQueries({ queryKey: [list, id] });
      showToast({ text: runTexts.linksRevoked });
    },
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
  });
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => setConfirming(true)}>
        {runTexts.revokeLinks}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={runTexts.revokeLinksTitle}
          about={runTexts.revokeLinksAbout}
          keep={runTexts.keepLinks}
          confirm={runTexts.confirmRevokeLinks}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            mutate();
          }}
        />
      )}
    </>
  );
}
