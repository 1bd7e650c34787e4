import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { MaintenanceView } from "../../shared/contracts/monitors/maintenance.ts";
import { unlessLive } from "../api/live.ts";
import { maintenanceApi } from "../api/maintenance.ts";
import { Link } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { maintenanceTexts, scheduleText } from "../texts/monitors/maintenance.ts";
import { monitorsTexts } from "../texts/monitors/monitors.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { fill } from "../ui/fill.ts";
import { More } from "../ui/more.tsx";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { useToast } from "../ui/toast.tsx";
import { MaintenanceForm } from "./maintenance-form.tsx";
import "./maintenance.css";

const POLL_MS = 30_000;

function firstPage(): string | null {
  return null;
}

const maintenanceQuery = infiniteQueryOptions({
  queryKey: ["maintenance"],
  initialPageParam: firstPage(),
  queryFn: ({ pageParam }) => maintenanceApi.list(pageParam),
  getNextPageParam: ({ nextCursor }) => nextCursor,
  refetchInterval: () => unlessLive(POLL_MS),
});

/** Lists maintenance windows, and plans new ones. */
export function MaintenancePage() {
  useTitle(maintenanceTexts.title);
  const { may } = useMe();
  const [isPlanning, setPlanning] = useState(false);
  const query = useInfiniteQuery(maintenanceQuery);
  const { data, error, refetch } = query;
  const windows = data?.pages.flatMap(page => page.data);
  return (
    <>
      <div className="page-head">
        <h1>{maintenanceTexts.title}</h1>
        <div className="actions">
          <Link className="button" to={{ page: "monitors" }}>
            {monitorsTexts.title}
          </Link>
          {may("reviewer") && (
            <button type="button" className="primary" onClick={() => setPlanning(true)}>
              {maintenanceTexts.plan}
            </button>
          )}
        </div>
      </div>
      {isPlanning && <MaintenanceForm onClose={() => setPlanning(false)} />}
      {error && !windows && <Problem error={error} what={maintenanceTexts.thing} again={refetch} />}
      {!windows && !error && <Loading what={maintenanceTexts.thing} />}
      {windows?.length === 0 && <p className="empty">{maintenanceTexts.empty}</p>}
      {windows && windows.length > 0 && (
        <ul className="rows windows" aria-label={maintenanceTexts.title}>
          {windows.map(window => (
            <WindowRow key={window.id} window={window} />
          ))}
        </ul>
      )}
      <More list={query}>{maintenanceTexts.older}</More>
    </>
  );
}

function WindowRow({ window }: { window: MaintenanceView }) {
  const { may } = useMe();
  const [isEnding, setEnding] = useState(false);
  const { title, monitors, mode, next, isActive } = window;
  return (
    <li>
      <span className="row-what">
        <strong>{title}</strong>
        <span className="quiet">{scheduleText(window)}</span>
      </span>
      <span className="row-what quiet">
        <span>{monitors === null ? maintenanceTexts.allOfTeam : maintenanceTexts.some(monitors.length)}</span>
        <span>{maintenanceTexts.modes[mode]}</span>
      </span>
      <span className="window-state">
        <Status
          name={isActive ? "unstable" : "pending"}
          word={isActive ? maintenanceTexts.active : maintenanceTexts.upcoming}
        />
        {next && (
          <span className="quiet">
            {isActive
              ? fill(maintenanceTexts.activeUntil, { time: <Time iso={next.until} /> })
              : fill(maintenanceTexts.nextFrom, { time: <Time iso={next.from} /> })}
          </span>
        )}
      </span>
      {may("reviewer") && (
        <button type="button" onClick={() => setEnding(true)}>
          {maintenanceTexts.end}
        </button>
      )}
      {isEnding && <EndDialog window={window} onClose={() => setEnding(false)} />}
    </li>
  );
}

function EndDialog({ window: { id, title }, onClose }: { window: MaintenanceView; onClose: () => void }) {
  const client = useQueryClient();
  const showToast = useToast();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => maintenanceApi.end(id),
    onSuccess() {
      showToast({ text: maintenanceTexts.ended });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["maintenance"] }),
  });
  return (
    <ConfirmDialog
      title={maintenanceTexts.endTitle(title)}
      about={maintenanceTexts.endAbout}
      keep={maintenanceTexts.keep}
      confirm={maintenanceTexts.confirmEnd}
      isPending={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    />
  );
}
