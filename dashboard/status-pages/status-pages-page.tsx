import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { StatusPageView } from "../../shared/contracts/monitors/status-pages.ts";
import { statusPagesApi } from "../api/status-pages.ts";
import { Link } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { monitorsTexts } from "../texts/monitors/monitors.ts";
import { statusPageTexts } from "../texts/monitors/status-pages.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import { useToast } from "../ui/toast.tsx";
import { StatusPageForm } from "./status-page-form.tsx";

const statusPagesQuery = queryOptions({ queryKey: ["status-pages"], queryFn: statusPagesApi.list });

/** Lists the team's status pages, and edits them. */
export function StatusPagesPage() {
  useTitle(statusPageTexts.title);
  const { may } = useMe();
  const [edited, setEdited] = useState<StatusPageView | "new" | null>(null);
  const { data, error, refetch } = useQuery(statusPagesQuery);
  return (
    <>
      <div className="page-head">
        <h1>{statusPageTexts.title}</h1>
        <div className="actions">
          <Link className="button" to={{ page: "monitors" }}>
            {monitorsTexts.title}
          </Link>
          {may("admin") && (
            <button type="button" className="primary" onClick={() => setEdited("new")}>
              {statusPageTexts.create}
            </button>
          )}
        </div>
      </div>
      {!may("admin") && <p className="about">{statusPageTexts.adminsOnly}</p>}
      {edited && <StatusPageForm page={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
      {error && !data && <Problem error={error} what={statusPageTexts.thing} again={refetch} />}
      {!data && !error && <Loading what={statusPageTexts.thing} />}
      {data?.data.length === 0 && <p className="empty">{statusPageTexts.empty}</p>}
      {data && data.data.length > 0 && (
        <ul className="rows" aria-label={statusPageTexts.title}>
          {data.data.map(page => (
            <PageRow key={page.id} page={page} onEdit={() => setEdited(page)} />
          ))}
        </ul>
      )}
    </>
  );
}

function PageRow({ page, onEdit }: { page: StatusPageView; onEdit: () => void }) {
  const { may } = useMe();
  const [isDeleting, setDeleting] = useState(false);
  const { title, url, components, hasPassword } = page;
  return (
    <li>
      <span className="row-what">
        <strong>{title}</strong>
        <a className="quiet" href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      </span>
      <span className="quiet">
        {statusPageTexts.some(components.length)} ·{" "}
        {hasPassword ? statusPageTexts.protectedWord : statusPageTexts.publicWord}
      </span>
      {may("admin") && (
        <span className="actions">
          <button type="button" onClick={onEdit}>
            {statusPageTexts.edit}
          </button>
          <button type="button" onClick={() => setDeleting(true)}>
            {statusPageTexts.delete}
          </button>
        </span>
      )}
      {isDeleting && <DeleteDialog page={page} onClose={() => setDeleting(false)} />}
    </li>
  );
}

function DeleteDialog({ page: { id, title }, onClose }: { page: StatusPageView; onClose: () => void }) {
  const client = useQueryClient();
  const showToast = useToast();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => statusPagesApi.remove(id),
    onSuccess() {
      showToast({ text: statusPageTexts.deleted });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["status-pages"] }),
  });
  return (
    <ConfirmDialog
      title={statusPageTexts.deleteTitle(title)}
      about={statusPageTexts.deleteAbout}
      keep={statusPageTexts.keep}
      confirm={statusPageTexts.confirmDelete}
      isPending={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    />
  );
}
