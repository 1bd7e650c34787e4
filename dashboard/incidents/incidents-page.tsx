import { useInfiniteQuery } from "@tanstack/react-query";
import { INCIDENT_FILTERS, type IncidentFilter } from "../location-filters.ts";
import { Link, navigate } from "../navigation.tsx";
import { incidentTexts } from "../texts/monitors/incidents.ts";
import { monitorsTexts } from "../texts/monitors/monitors.ts";
import { More } from "../ui/more.tsx";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import { IncidentRows } from "./incident-rows.tsx";
import { incidentsQuery } from "./queries.ts";

/** Lists the incidents of all monitors of the team. */
export function IncidentsPage({ filter }: { filter: IncidentFilter }) {
  useTitle(incidentTexts.title);
  const query = useInfiniteQuery(incidentsQuery(filter));
  const { data, error, refetch } = query;
  const incidents = data?.pages.flatMap(page => page.data);
  return (
    <>
      <div className="page-head">
        <h1>{incidentTexts.title}</h1>
        <div className="actions">
          <Link className="button" to={{ page: "monitors" }}>
            {monitorsTexts.title}
          </Link>
        </div>
      </div>
      <fieldset className="chips incident-filters">
        <legend className="hidden">{incidentTexts.filter}</legend>
        {INCIDENT_FILTERS.map(name => (
          <button
            key={name}
            type="button"
            aria-pressed={filter === name}
            onClick={() => navigate({ page: "incidents", filter: name }, "replace")}
          >
            {incidentTexts.filters[name]}
          </button>
        ))}
      </fieldset>
      {error && !incidents && <Problem error={error} what={incidentTexts.thing} again={refetch} />}
      {!incidents && !error && <Loading what={incidentTexts.thing} />}
      {incidents?.length === 0 && (
        <p className="empty">
          {filter === "unresolved" ? incidentTexts.emptyUnresolved : incidentTexts.empty}
        </p>
      )}
      {incidents && incidents.length > 0 && (
        <IncidentRows label={incidentTexts.title} incidents={incidents} />
      )}
      <More list={query}>{incidentTexts.older}</More>
    </>
  );
}
