import { useQuery } from "@tanstack/react-query";
import { Link } from "../location.tsx";
import type { Place } from "../place.ts";
import { useMe } from "../session.tsx";
import { loadedThings } from "../texts/common.ts";
import { monitorFormTexts } from "../texts/monitor-form.ts";
import { monitorsTexts } from "../texts/monitors.ts";
import { Problem, useTitle, Waiting } from "../ui/parts.tsx";
import { MonitorForm } from "./form/monitor-form.tsx";
import { MonitorPage } from "./monitor-page.tsx";
import { MonitorsPage } from "./monitors-page.tsx";
import { monitorQuery } from "./queries.ts";
import "./monitors.css";

type MonitorPlace = Extract<Place, { page: "monitors" | "new-monitor" | "monitor" }>;

/** Renders the pages of monitors. */
export function MonitorPages({ place }: { place: MonitorPlace }) {
  if (place.page === "monitors") return <MonitorsPage />;
  if (place.page === "new-monitor") return <NewMonitor />;
  return <OneMonitor key={place.id} id={place.id} isEdited={place.isEdited} />;
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

function OneMonitor({ id, isEdited }: { id: string; isEdited: boolean }) {
  const { may } = useMe();
  const { data: monitor, error, refetch } = useQuery(monitorQuery(id));
  useTitle(monitor?.name ?? monitorsTexts.monitor);
  if (!monitor)
    return error ? (
      <Problem
        error={error}
        what={loadedThings.monitor}
        again={refetch}
        wayOut={<Link to={{ page: "monitors" }}>{monitorsTexts.goToMonitors}</Link>}
      />
    ) : (
      <Waiting what={loadedThings.monitor} />
    );
  if (!isEdited || !may("reviewer")) return <MonitorPage monitor={monitor} isStale={error !== null} />;
  return (
    <>
      <h1>{monitor.name}</h1>
      <MonitorForm monitor={monitor} />
    </>
  );
}
