import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client.ts";
import { runQuery } from "../api/queries.ts";
import { runTexts } from "../texts/run.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useSay, wordsOf } from "../ui/say.tsx";

/** Revokes the shared links of a run, after a confirmation. */
export function RevokeLinks({ id }: { id: string }) {
  const client = useQueryClient();
  const say = useSay();
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.revokeLinks(id),
    onSuccess(run) {
      client.setQueryData(runQuery(id).queryKey, run);
      // The images on this page get new links too.
      for (const list of ["shots", "first-shots"]) void client.invalidateQueries({ queryKey: [list, id] });
      say({ text: runTexts.linksRevoked });
    },
    onError: error => say({ text: wordsOf(error), isFailure: true }),
  });
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => setAsked(true)}>
        {runTexts.revokeLinks}
      </button>
      {isAsked && (
        <Dialog title={runTexts.revokeLinksTitle} onClose={() => setAsked(false)}>
          <p>{runTexts.revokeLinksAbout}</p>
          <div className="form-end">
            <button type="button" onClick={() => setAsked(false)}>
              {runTexts.keepLinks}
            </button>
            <button
              type="button"
              className="danger"
              onClick={() => {
                setAsked(false);
                mutate();
              }}
            >
              {runTexts.confirmRevokeLinks}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
