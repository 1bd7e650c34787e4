import { useInfiniteQuery } from "@tanstack/react-query";
import type { MonitorView } from "../../shared/contracts/monitors.ts";
import { Link } from "../location.tsx";
import { useMe } from "../session.tsx";
import { More } from "../ui/more.tsx";
import { Copyable, Problem, useTitle, Waiting } from "../ui/parts.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { CheckBars } from "./check-bars.tsx";
import { hostOf, restsBecause, standingOf } from "./monitor-words.ts";
import { monitorsQuery } from "./queries.ts";

/** The team's monitors: how each site is, and was. */
export function MonitorsPage() {
  useTitle("Monitors");
  const { may } = useMe();
  const list = useInfiniteQuery(monitorsQuery);
  const { data, error, isRefetchError, refetch } = list;
  const monitors = data?.pages.flatMap(page => page.data);
  return (
    <>
      <div className="page-head">
        <h1>Monitors</h1>
        {may("reviewer") && monitors?.length !== 0 && (
          <Link className="button primary" to={{ page: "new-monitor" }}>
            New monitor
          </Link>
        )}
      </div>
      {error && !monitors && <Problem error={error} what="The monitors" again={refetch} />}
      {isRefetchError && <p className="stale">This list may be out of date: the service does not answer.</p>}
      {!monitors && !error && <Waiting what="the monitors" />}
      {monitors?.length === 0 && <NoMonitors />}
      {monitors && monitors.length > 0 && (
        <ul className="rows monitors" aria-label="Monitors">
          {monitors.map(monitor => (
            <MonitorRow key={monitor.id} monitor={monitor} />
          ))}
        </ul>
      )}
      <More list={list}>Older monitors</More>
    </>
  );
}

function MonitorRow({ monitor }: { monitor: MonitorView }) {
  const { id, name, url, recentChecks, alertThreshold, lastCheck, nextRunAt, currentCheck } = monitor;
  const rests = restsBecause(monitor);
  return (
    <li>
      <Link className="monitor-row" to={{ page: "monitor", id, isEdited: false }}>
        <span className="monitor-state">
          <Status {...standingOf(monitor)} />
          {rests && <span className="quiet">{rests}</span>}
        </span>
        <span className="row-what">
          <strong>{name}</strong>
          <span className="quiet">{hostOf(url)}</span>
        </span>
        <CheckBars checks={recentChecks} threshold={alertThreshold} />
        <span className="monitor-notes">
          {monitor.alertingSince && (
            <span className="is-alerted">
              Incident began <Time iso={monitor.alertingSince} />
            </span>
          )}
          {monitor.snoozedUntil && (
            <span>
              Snooze ends <Time iso={monitor.snoozedUntil} />
            </span>
          )}
        </span>
        <span className="monitor-times quiet">
          {lastCheck && (
            <span>
              checked <Time iso={lastCheck.startedAt} />
            </span>
          )}
          {currentCheck ? <span>being checked</span> : nextRunAt && <NextCheck iso={nextRunAt} />}
        </span>
      </Link>
    </li>
  );
}

function NextCheck({ iso }: { iso: string }) {
  return (
    <span>
      next <Time iso={iso} />
    </span>
  );
}

function NoMonitors() {
  const { may } = useMe();
  if (!may("reviewer"))
    return (
      <p className="empty">
        The team has no monitor. Reviewers make them; a monitor photographs a live site every so often and
        tells people when it looks different or does not answer.
      </p>
    );
  return (
    <div className="first-run">
      <section aria-labelledby="first-monitor">
        <h2 id="first-monitor">Watch a live site</h2>
        <p className="about">
          A monitor photographs its pages every so often. What the first check sees is the baseline; from then
          on people are told when a page looks different, or the site does not answer.
        </p>
        <p className="actions spaced">
          <Link className="button primary" to={{ page: "new-monitor" }}>
            Make the first monitor
          </Link>
        </p>
      </section>
      <section aria-labelledby="first-command">
        <h2 id="first-command">Or from a terminal</h2>
        <p className="about">With an API key of this team in place of the dots:</p>
        <Copyable text={command()} />
      </section>
    </div>
  );
}

function command(): string {
  return [
    `curl ${new URL("v1/monitors", document.baseURI)} \\`,
    `  -H "Authorization: Bearer ..." \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{ "name": "Shop", "url": "https://example.com", "routes": ["/"], "intervalMinutes": 60 }'`,
  ].join("\n");
}
