import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { TeamView } from "../../shared/contracts/teams/people.ts";
import type { ExportView } from "../../shared/contracts/transfers/transfers.ts";
import { transferApi } from "../api/transfer.ts";
import { exportTexts, transferTexts } from "../texts/settings/transfer.ts";
import { fill } from "../ui/fill.ts";
import { Loading, Problem } from "../ui/parts.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { LeftOut } from "./left-out.tsx";

const POLL_MS = 1_500;

/** Starts an export of the team, and shows its progress and its file. */
export function ExportSection({ team }: { team: TeamView }) {
  const client = useQueryClient();
  const showToast = useToast();
  const queryKey = ["export", team.id];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => transferApi.export(team.id),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? POLL_MS : false),
  });
  const start = useMutation({
    mutationFn: () => transferApi.startExport(team.id),
    onSuccess: view => client.setQueryData(queryKey, view),
    onError: failure => showToast({ text: messageOf(failure), isFailure: true }),
  });
  const isRunning = data?.status === "running";
  return (
    <section aria-labelledby="export" className="section">
      <div className="page-head">
        <h2 id="export">{exportTexts.title}</h2>
        {data !== undefined && (
          <button type="button" disabled={isRunning || start.isPending} onClick={() => start.mutate()}>
            {data === null ? exportTexts.start : exportTexts.again}
          </button>
        )}
      </div>
      <p className="about">{exportTexts.about}</p>
      {error && data === undefined && <Problem error={error} what={exportTexts.thing} again={refetch} />}
      {data === undefined && !error && <Loading what={exportTexts.thing} />}
      {data === null && <p className="empty">{exportTexts.none}</p>}
      {data && <Export view={data} />}
    </section>
  );
}

function Export({
  view: { status, progress, files, error, createdAt, expiresAt, leftOut, links },
}: {
  view: ExportView;
}) {
  const isRunning = status === "running";
  return (
    <div className="transfer" aria-live="polite">
      <p>
        <Status name={transferTexts.icons[status]} word={exportTexts.statuses[status]} />{" "}
        <span className="quiet">{fill(exportTexts.started, { time: <Time iso={createdAt} /> })}</span>
      </p>
      {isRunning && (
        <>
          <progress max={progress.total ?? 1} value={progress.done} aria-label={exportTexts.progress} />
          <p className="quiet">{exportTexts.tables(progress.done, progress.total ?? 0)}</p>
        </>
      )}
      {error !== null && <p className="fault">{error}</p>}
      {links.file !== null && (
        <>
          <p>
            <a className="button primary" href={links.file} download>
              {exportTexts.download}
            </a>
          </p>
          <p className="quiet">
            {exportTexts.files(files)}
            {expiresAt && <> {fill(exportTexts.expires, { time: <Time iso={expiresAt} /> })}</>}
          </p>
          <LeftOut of={leftOut} about={exportTexts.leftOut} />
        </>
      )}
    </div>
  );
}
