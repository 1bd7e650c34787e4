import { useQuery } from "@tanstack/react-query";
import type { AppLocation } from "../app-location.ts";
import { IncidentPage } from "../incidents/incident-page.tsx";
import { IncidentsPage } from "../incidents/incidents-page.tsx";
import { MaintenancePage } from "../maintenance/maintenance-page.tsx";
import { Link } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { StatusPagesPage } from "../status-pages/status-pages-page.tsx";
import { loadedThings } from "../texts/common.ts";
import { monitorFormTexts } from "../texts/monitors/monitor-form.ts";
import { monitorsTexts } from "../texts/monitors/monitors.ts";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import { MonitorForm } from "./form/monitor-form.tsx";
import type { Moment } from "./looks/moment.ts";
import { MonitorPage } from "./monitor-page.tsx";
import { MonitorsPage } from "./monitors-page.tsx";
import { monitorQuery } from "./queries.ts";
import "./monitors.css";

type MonitorLocation = Extract<
  AppLocation,
  { page: "monitors" | "new-monitor" | "monitor" | "incidents" | "incident" | "maintenance" | "status-pages" }
>;

/** Renders the pages of monitors. */
export function MonitorPages({ location }: { location: MonitorLocation }) {
  if (location.page === "monitors") return <MonitorsPage location={location} />;
  if (location.page === "new-monitor") return <NewMonitor />;
  if (location.page === "status-pages") return <StatusPagesPage />;
  if (location.page === "maintenance") return <MaintenancePage />;
  if (location.page === "incidents") return <IncidentsPage filter={location.filter} />;
  if (location.page === "incident") return <IncidentPage key={location.id} id={location.id} />;
  return (
    <OneMonitor key={location.id} id={location.id} isEdited={location.isEdited} moment={location.moment} />
  );
}

function NewMonitor() {
  useTitle(monitorFormTexts.createTitle);
  const { may } = useMe();
  return (
    <>
      <h1>{monitorFormTexts.createTitle}</h1>
      {may("reviewer") ? <MonitorForm /> : <p className="detail">{monitorFormTexts.reviewersOnly}</p>}
    </>
  );
}

interface OneMonitorProps {
  id: string;
  isEdited: boolean;
  moment: Moment | undefined;
}

function OneMonitor({ id, isEdited, moment }: OneMonitorProps) {
  const { may } = useMe();
  const { data: monitor, error, refetch } = useQuery(monitorQuery(id));
  useTitle(monitor?.name ?? monitorsTexts.monitor);
  if (!monitor)
    return error ? (
      <Problem
        error={error}
        what={loadedThings.monitor}
        again={refetch}
        exitLink={<Link to={{ page: "monitors" }}>{monitorsTexts.goToMonitors}</Link>}
      />
    ) : (
      <Loading what={loadedThings.monitor} />
    );
  if (!isEdited || !may("reviewer"))
    return <MonitorPage monitor={monitor} isStale={error !== null} moment={moment} />;
  return (
    <>
      <h1>{monitor.name}</h1>
      <MonitorForm monitor={monitor} />
    </>
  );
}
