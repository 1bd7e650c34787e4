import { useQuery } from "@tanstack/react-query";
import type { IncidentView } from "../../shared/contracts/monitors/incidents.ts";
import { Link } from "../navigation.tsx";
import { incidentTexts, resolutionText } from "../texts/monitors/incidents.ts";
import { Icon } from "../ui/icon.tsx";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import { Elapsed, Time } from "../ui/text/time.tsx";
import { IncidentActions } from "./incident-actions.tsx";
import { incidentBadge } from "./incident-state.ts";
import { Timeline } from "./incident-timeline.tsx";
import { incidentQuery } from "./queries.ts";
import "./incidents.css";

/** Shows one incident: its state, what to do, and its timeline. */
export function IncidentPage({ id }: { id: string }) {
  const { data: incident, error, refetch } = useQuery(incidentQuery(id));
  useTitle(incident?.title ?? incidentTexts.incident);
  if (!incident)
    return error ? (
      <Problem
        error={error}
        what={incidentTexts.oneThing}
        again={refetch}
        exitLink={
          <Link to={{ page: "incidents", filter: "unresolved" }}>{incidentTexts.backToIncidents}</Link>
        }
      />
    ) : (
      <Loading what={incidentTexts.oneThing} />
    );
  const badge = incidentBadge(incident);
  return (
    <>
      <div className="run-top">
        <div className="monitor-title">
          <h1 data-standing={badge.name}>
            <span className="verdict">
              <Icon name={badge.name} />
            </span>
            {incident.title}
          </h1>
          <p className="project">
            <Link to={{ page: "incidents", filter: "unresolved" }}>{incidentTexts.title}</Link> ·{" "}
            <strong>{badge.word}</strong>
          </p>
        </div>
        <IncidentActions incident={incident} />
      </div>
      <Facts incident={incident} />
      <Timeline incident={incident} />
    </>
  );
}

function Facts({ incident }: { incident: IncidentView }) {
  const { monitor, runId, openedAt, resolvedAt, assignee, acknowledgedBy, acknowledgedAt } = incident;
  const names = incidentTexts.facts;
  return (
    <dl className="run-facts">
      <div>
        <dt>{names.monitor}</dt>
        <dd>
          <Link to={{ page: "monitor", id: monitor.id, isEdited: false }}>{monitor.name}</Link>
          {runId !== null && (
            <>
              {" · "}
              <Link to={{ page: "run", id: runId }}>{incidentTexts.openRun}</Link>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>{names.opened}</dt>
        <dd>
          <Time iso={openedAt} />
        </dd>
      </div>
      <div>
        <dt>{names.duration}</dt>
        <dd>
          <Elapsed from={openedAt} to={resolvedAt} />
        </dd>
      </div>
      <div>
        <dt>{names.assignee}</dt>
        <dd>{assignee?.login ?? incidentTexts.unassigned}</dd>
      </div>
      <div>
        <dt>{names.acknowledged}</dt>
        <dd>
          {acknowledgedBy ?? incidentTexts.notAcknowledged}
          {acknowledgedAt && (
            <>
              {" · "}
              <Time iso={acknowledgedAt} />
            </>
          )}
        </dd>
      </div>
      {resolvedAt && (
        <div>
          <dt>{names.resolved}</dt>
          <dd>
            {resolutionText(incident)} · <Time iso={resolvedAt} />
          </dd>
        </div>
      )}
    </dl>
  );
}
