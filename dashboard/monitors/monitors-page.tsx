import { useInfiniteQuery } from "@tanstack/react-query";
import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import { PROJECT_OF_ALL_MONITORS } from "../../shared/monitor-project.ts";
import type { AppLocation } from "../app-location.ts";
import { Link } from "../navigation.tsx";
import { SavedFilters } from "../saved-filters/saved-filters.tsx";
import { useMe } from "../session.tsx";
import { commands } from "../texts/commands.ts";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { configurationTexts } from "../texts/configuration.ts";
import { formatHost } from "../texts/format.ts";
import { incidentTexts } from "../texts/monitors/incidents.ts";
import { maintenanceTexts } from "../texts/monitors/maintenance.ts";
import { holdName, monitorsTexts } from "../texts/monitors/monitors.ts";
import { statusPageTexts } from "../texts/monitors/status-pages.ts";
import { uptimeTexts } from "../texts/monitors/uptime.ts";
import { fill } from "../ui/fill.ts";
import { More } from "../ui/more.tsx";
import { Copyable, Loading, Problem, useTitle } from "../ui/parts.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { CheckBars } from "./chart/check-bars.tsx";
import { MonitorFilter } from "./monitor-filter.tsx";
import { monitorBadge } from "./monitor-status.ts";
import { monitorsQuery } from "./queries.ts";

/** Lists the team's monitors with their current state and history. */
export function MonitorsPage({ location }: { location: Extract<AppLocation, { page: "monitors" }> }) {
  useTitle(monitorsTexts.title);
  const { may } = useMe();
  const { page: _page, ...filters } = location;
  const isFiltered = Object.keys(filters).length > 0;
  const list = useInfiniteQuery(monitorsQuery(filters));
  const { data, error, isRefetchError, refetch } = list;
  const monitors = data?.pages.flatMap(page => page.data);
  return (
    <>
      <div className="page-head">
        <h1>{monitorsTexts.title}</h1>
        <div className="actions">
          <Link className="button" to={{ page: "incidents", filter: "unresolved" }}>
            {incidentTexts.title}
          </Link>
          <Link className="button" to={{ page: "maintenance" }}>
            {maintenanceTexts.title}
          </Link>
          <Link className="button" to={{ page: "status-pages" }}>
            {statusPageTexts.title}
          </Link>
          <Link className="button" to={{ page: "configuration", project: PROJECT_OF_ALL_MONITORS }}>
            {configurationTexts.titleOfMonitors}
          </Link>
          {may("reviewer") && (monitors?.length !== 0 || isFiltered) && (
            <Link className="button primary" to={{ page: "new-monitor" }}>
              {monitorsTexts.create}
            </Link>
          )}
        </div>
      </div>
      {error && !monitors && <Problem error={error} what={loadedThings.monitors} again={refetch} />}
      {isRefetchError && <p className="stale">{commonTexts.outdatedList}</p>}
      {!monitors && !error && <Loading what={loadedThings.monitors} />}
      {(isFiltered || (monitors && monitors.length > 0)) && (
        <MonitorFilter filters={filters} monitors={monitors ?? []} />
      )}
      <SavedFilters
        location={location}
        isFiltered={isFiltered}
        suggestion={[filters.find, filters.tag && monitorsTexts.tag(filters.tag)].filter(Boolean).join(" · ")}
      />
      {monitors?.length === 0 &&
        (isFiltered ? (
          <p className="empty">
            {monitorsTexts.noMatch} <Link to={{ page: "monitors" }}>{monitorsTexts.clearFilter}</Link>
          </p>
        ) : (
          <NoMonitors />
        ))}
      {monitors && monitors.length > 0 && (
        <ul className="rows monitors" aria-label={monitorsTexts.title}>
          {monitors.map(monitor => (
            <MonitorRow key={monitor.id} monitor={monitor} />
          ))}
        </ul>
      )}
      <More list={list}>{monitorsTexts.older}</More>
    </>
  );
}

function MonitorRow({ monitor }: { monitor: MonitorView }) {
  const { id, name, url, recentChecks, alertThreshold, lastCheck, nextRunAt, currentCheck } = monitor;
  const hold = holdName(monitor);
  return (
    <li>
      <Link className="monitor-row" to={{ page: "monitor", id, isEdited: false }}>
        <span className="monitor-state">
          <Status {...monitorBadge(monitor)} />
          {hold && <span className="quiet">{hold}</span>}
        </span>
        <span className="row-what">
          <strong>{name}</strong>
          <span className="quiet">
            {[formatHost(url), ...monitor.tags.map(monitorsTexts.tag)].join(" · ")}
          </span>
        </span>
        {recentChecks.length === 0 ? (
          <span className="check-bars" />
        ) : (
          <CheckBars checks={recentChecks} threshold={alertThreshold} />
        )}
        <span className="monitor-notes">
          {monitor.availability.month.uptime !== null && (
            <span className="row-uptime" title={uptimeTexts.inListTitle}>
              {uptimeTexts.inList(
                uptimeTexts.uptime(monitor.availability.month.uptime),
                uptimeTexts.responseTime(monitor.availability.day.responseMs),
              )}
            </span>
          )}
          {monitor.alertingSince && (
            <span className="is-alerted">
              {fill(monitorsTexts.incidentStarted, { time: <Time iso={monitor.alertingSince} /> })}
            </span>
          )}
          {monitor.maintenance && (
            <span>{fill(maintenanceTexts.inList, { time: <Time iso={monitor.maintenance.until} /> })}</span>
          )}
          {monitor.snoozedUntil && (
            <span>{fill(monitorsTexts.snoozedUntil, { time: <Time iso={monitor.snoozedUntil} /> })}</span>
          )}
        </span>
        <span className="monitor-times quiet">
          {lastCheck && (
            <span>{fill(monitorsTexts.checked, { time: <Time iso={lastCheck.startedAt} /> })}</span>
          )}
          {currentCheck ? <span>{monitorsTexts.checking}</span> : nextRunAt && <NextCheck iso={nextRunAt} />}
        </span>
      </Link>
    </li>
  );
}

function NextCheck({ iso }: { iso: string }) {
  return <span>{fill(monitorsTexts.nextCheck, { time: <Time iso={iso} /> })}</span>;
}

function NoMonitors() {
  const { may } = useMe();
  if (!may("reviewer")) return <p className="empty">{monitorsTexts.emptyForViewers}</p>;
  return (
    <div className="first-run">
      <section aria-labelledby="first-monitor">
        <h2 id="first-monitor">{monitorsTexts.empty}</h2>
        <p className="about">{monitorsTexts.emptyAbout}</p>
        <p className="actions spaced">
          <Link className="button primary" to={{ page: "new-monitor" }}>
            {monitorsTexts.create}
          </Link>
        </p>
      </section>
      <section aria-labelledby="first-command">
        <h2 id="first-command">{monitorsTexts.useApi}</h2>
        <p className="about">{monitorsTexts.replaceDots}</p>
        <Copyable text={commands.createMonitor(new URL("v1/monitors", document.baseURI))} />
      </section>
    </div>
  );
}
