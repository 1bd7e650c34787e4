import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import { statusPagesApi } from "../api/status-pages.ts";
import { useMe } from "../session.tsx";
import { statusPageTexts } from "../texts/monitors/status-pages.ts";
import { Copyable } from "../ui/parts.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { monitorQuery } from "./queries.ts";

/** Shows the badge of a monitor, and lets admins create, replace and delete it. */
export function Badge({ monitor: { id, name, badgeUrl } }: { monitor: MonitorView }) {
  const { may } = useMe();
  const client = useQueryClient();
  const showToast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ action }: { action: () => Promise<unknown>; done: string }) => action(),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
    onSuccess: (_answer, { done }) => showToast({ text: done }),
    onSettled: () => client.invalidateQueries({ queryKey: monitorQuery(id).queryKey }),
  });
  if (badgeUrl === null && !may("admin")) return null;
  const create = () =>
    mutate({ action: () => statusPagesApi.createBadge(id), done: statusPageTexts.badgeChanged });
  return (
    <section aria-labelledby="badge" className="section">
      <div className="page-head">
        <h2 id="badge">{statusPageTexts.badge}</h2>
        {may("admin") && (
          <div className="actions">
            <button type="button" disabled={isPending} onClick={create}>
              {badgeUrl === null ? statusPageTexts.createBadge : statusPageTexts.renewBadge}
            </button>
            {badgeUrl !== null && (
              <button
                type="button"
                disabled={isPending}
                onClick={() =>
                  mutate({
                    action: () => statusPagesApi.deleteBadge(id),
                    done: statusPageTexts.badgeDeleted,
                  })
                }
              >
                {statusPageTexts.deleteBadge}
              </button>
            )}
          </div>
        )}
      </div>
      {badgeUrl === null ? (
        <p className="about">{statusPageTexts.badgeAbout}</p>
      ) : (
        <>
          <p className="badge-image">
            <img
              src={badgeUrl.slice(badgeUrl.indexOf("/badges/") + 1)}
              height={20}
              alt={statusPageTexts.badgeImage(name)}
            />
          </p>
          <Copyable text={`![${name}](${badgeUrl})`} />
        </>
      )}
    </section>
  );
}
