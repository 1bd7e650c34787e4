import { useInfiniteQuery } from "@tanstack/react-query";
import { incidentTexts } from "../texts/monitors/incidents.ts";
import { More } from "../ui/more.tsx";
import { Problem } from "../ui/parts.tsx";
import { IncidentRows } from "./incident-rows.tsx";
import { incidentsQuery } from "./queries.ts";

/** Lists the incidents of a monitor. */
export function MonitorIncidents({ monitorId }: { monitorId: string }) {
  const query = useInfiniteQuery(incidentsQuery("all", monitorId));
  const { data, error, refetch } = query;
  const incidents = data?.pages.flatMap(page => page.data);
  return (
    <section aria-labelledby="incidents" className="section">
      <h2 id="incidents">{incidentTexts.title}</h2>
      {error && !incidents && <Problem error={error} what={incidentTexts.thing} again={refetch} />}
      {incidents?.length === 0 && <p className="empty">{incidentTexts.emptyOfMonitor}</p>}
      {incidents && incidents.length > 0 && (
        <IncidentRows label={incidentTexts.title} incidents={incidents} isOfOneMonitor />
      )}
      <More list={query}>{incidentTexts.older}</More>
    </section>
  );
}
