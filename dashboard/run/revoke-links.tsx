import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { runQuery } from "../api/queries.ts";
import { runTexts } from "../texts/runs/run.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";

/** Asks whether to revoke the shared links of a run, and revokes them. */
export function RevokeLinksDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient();
  const showToast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.revokeLinks(id),
    onSuccess(run) {
      client.setQueryData(runQuery(id).queryKey, run);
      // The images on this page get new links too.
      for (const list of ["shots", "first-shots"]) void client.invalidateQueries({ queryKey: [list, id] });
      showToast({ text: runTexts.linksRevoked });
    },
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      title={runTexts.revokeLinksTitle}
      about={runTexts.revokeLinksAbout}
      keep={runTexts.keepLinks}
      confirm={runTexts.confirmRevokeLinks}
      isPending={isPending}
      onClose={onClose}
      onConfirm={() => mutate()}
    />
  );
}
