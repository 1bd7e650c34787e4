import type { IncidentSummary } from "../../shared/contracts/monitors/incidents.ts";
import { Link } from "../navigation.tsx";
import { incidentTexts, resolutionText } from "../texts/monitors/incidents.ts";
import { fill } from "../ui/fill.ts";
import { Status } from "../ui/status.tsx";
import { Elapsed, Time } from "../ui/text/time.tsx";
import { incidentBadge } from "./incident-state.ts";
import "./incidents.css";

interface IncidentRowsProps {
  label: string;
  incidents: readonly IncidentSummary[];
  /** Whether the monitor is known from the page. */
  isOfOneMonitor?: boolean;
}

/** Lists incidents. */
export function IncidentRows({ label, incidents, isOfOneMonitor = false }: IncidentRowsProps) {
  return (
    <ul className="rows incidents" aria-label={label}>
      {incidents.map(incident => (
        <li key={incident.id}>
          <Link className="incident-row" to={{ page: "incident", id: incident.id }}>
            <Status {...incidentBadge(incident)} />
            <span className="row-what">
              <strong>{incident.title}</strong>
              {!isOfOneMonitor && <span className="quiet">{incident.monitor.name}</span>}
            </span>
            <span className="row-what quiet">
              <span>
                {incident.assignee
                  ? incidentTexts.assignedTo(incident.assignee.login)
                  : incidentTexts.unassigned}
              </span>
              <span>{resolutionText(incident)}</span>
            </span>
            <span className="incident-times quiet">
              <span>{fill(incidentTexts.opened, { time: <Time iso={incident.openedAt} /> })}</span>
              <span>
                <Elapsed from={incident.openedAt} to={incident.resolvedAt} />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
