import { useInfiniteQuery } from "@tanstack/react-query";
import { monitorsQuery } from "../monitors/queries.ts";
import { Link } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { loadedThings } from "../texts/common.ts";
import { configurationTexts } from "../texts/configuration.ts";
import { intervalText, monitorsTexts } from "../texts/monitors/monitors.ts";
import { fill } from "../ui/fill.ts";
import { More } from "../ui/more.tsx";
import { Loading, Problem } from "../ui/parts.tsx";

/** Lists the team's monitors with their intervals. Each links to its form. */
export function Schedules() {
  const { may } = useMe();
  const list = useInfiniteQuery(monitorsQuery({}));
  const { data, error, refetch } = list;
  const monitors = data?.pages.flatMap(page => page.data);
  return (
    <section aria-labelledby="schedules" className="section">
      <h2 id="schedules">{configurationTexts.schedules}</h2>
      <p className="about">{configurationTexts.schedulesAbout}</p>
      {error && !monitors && <Problem error={error} what={loadedThings.monitors} again={refetch} />}
      {!monitors && !error && <Loading what={loadedThings.monitors} />}
      {monitors?.length === 0 && (
        <p className="empty">
          {fill(configurationTexts.noMonitors, {
            link: <Link to={{ page: "new-monitor" }}>{configurationTexts.createMonitor}</Link>,
          })}
        </p>
      )}
      {monitors && monitors.length > 0 && (
        <ul className="rows" aria-label={configurationTexts.schedules}>
          {monitors.map(({ id, name, url, intervalMinutes }) => (
            <li key={id}>
              <span className="row-what">
                <Link to={{ page: "monitor", id, isEdited: may("reviewer") }}>{name}</Link>
                <span className="quiet">{url}</span>
              </span>
              <span className="quiet">{intervalText(intervalMinutes)}</span>
            </li>
          ))}
        </ul>
      )}
      <More list={list}>{monitorsTexts.older}</More>
    </section>
  );
}
