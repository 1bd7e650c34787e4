import { useQuery } from "@tanstack/react-query";
import { Link } from "../location.tsx";
import type { Place } from "../place.ts";
import { useMe } from "../session.tsx";
import { Problem, useTitle, Waiting } from "../ui/parts.tsx";
import { MonitorForm } from "./monitor-form.tsx";
import { MonitorPage } from "./monitor-page.tsx";
import { MonitorsPage } from "./monitors-page.tsx";
import { monitorQuery } from "./queries.ts";
import "./monitors.css";

type MonitorPlace = Extract<Place, { page: "monitors" | "new-monitor" | "monitor" }>;

/** Everything about monitors. */
export function MonitorPages({ place }: { place: MonitorPlace }) {
  if (place.page === "monitors") return <MonitorsPage />;
  if (place.page === "new-monitor") return <NewMonitor />;
  return <OneMonitor key={place.id} id={place.id} isEdited={place.isEdited} />;
}

function NewMonitor() {
  useTitle("New monitor");
  const { may } = useMe();
  return (
    <>
      <h1>New monitor</h1>
      {may("reviewer") ? (
        <MonitorForm />
      ) : (
        <p className="detail">Reviewers and admins of the team make monitors.</p>
      )}
    </>
  );
}

function OneMonitor({ id, isEdited }: { id: string; isEdited: boolean }) {
  const { may } = useMe();
  const { data: monitor, error, refetch } = useQuery(monitorQuery(id));
  useTitle(monitor?.name ?? "Monitor");
  if (!monitor)
    return error ? (
      <Problem
        error={error}
        what="This monitor"
        again={refetch}
        wayOut={<Link to={{ page: "monitors" }}>See the monitors</Link>}
      />
    ) : (
      <Waiting what="the monitor" />
    );
  if (!isEdited || !may("reviewer")) return <MonitorPage monitor={monitor} isStale={error !== null} />;
  return (
    <>
      <h1>{monitor.name}</h1>
      <MonitorForm monitor={monitor} />
    </>
  );
}
