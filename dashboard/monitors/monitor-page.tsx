import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import { runQuery } from "../api/queries.ts";
import { useProgress } from "../api/use-progress.ts";
import { MonitorIncidents } from "../incidents/monitor-incidents.tsx";
import { Link } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { commonTexts } from "../texts/common.ts";
import { formatHost } from "../texts/format.ts";
import { maintenanceTexts } from "../texts/monitors/maintenance.ts";
import {
  certificateText,
  holdText,
  intervalText,
  lastCheckText,
  monitorTexts,
} from "../texts/monitors/monitors.ts";
import { compareTexts } from "../texts/runs/compare.ts";
import { fill } from "../ui/fill.ts";
import { Icon } from "../ui/icon.tsx";
import { Time } from "../ui/text/time.tsx";
import { Badge } from "./badge.tsx";
import { Channels } from "./channels.tsx";
import { Drift } from "./chart/drift.tsx";
import { CheckRegions } from "./check-regions.tsx";
import { Checks } from "./checks.tsx";
import { HttpCheck } from "./http/http-check.tsx";
import { LatestScreenshot } from "./latest-screenshot.tsx";
import type { Moment } from "./looks/moment.ts";
import { TimeLapse } from "./looks/time-lapse.tsx";
import "./looks/looks.css";
import { MonitorActions } from "./monitor-actions.tsx";
import { monitorBadge } from "./monitor-status.ts";
import { Uptime } from "./uptime/uptime.tsx";

/** The second threshold of alerts: at the first one, renewal may be under way. */
const EXPIRES_SOON_DAYS = 14;

interface MonitorPageProps {
  monitor: MonitorView;
  isStale: boolean;
  /** The page and look that a link names. */
  moment: Moment | undefined;
}

/** Shows one monitor: the state of its site, its checks, and its notifications. */
export function MonitorPage({ monitor, isStale, moment }: MonitorPageProps) {
  const { may } = useMe();
  const [chosen, setChosen] = useState<ScreenshotKey | null>(null);
  const badge = monitorBadge(monitor);
  const hold = holdText(monitor, may("reviewer"));
  return (
    <>
      <div className="run-top">
        <div className="monitor-title">
          <h1 data-standing={badge.name}>
            <span className="verdict">
              <Icon name={badge.name} />
            </span>
            {monitor.name}
          </h1>
          <p className="project">
            <a href={monitor.url} target="_blank" rel="noreferrer">
              {formatHost(monitor.url)}
            </a>{" "}
            · <strong>{badge.word}</strong> ·{" "}
            <Link to={{ page: "compare", head: `monitor:${monitor.id}` }}>{compareTexts.compareWith}</Link>
          </p>
        </div>
        <MonitorActions monitor={monitor} />
      </div>
      <p className="detail">{lastCheckText(monitor)}</p>
      {hold && (
        <p className="banner spaced">
          {hold}{" "}
          {monitor.hold && <Link to={{ page: "settings", setting: "usage" }}>{monitorTexts.viewUsage}</Link>}
        </p>
      )}
      {monitor.maintenance && (
        <p className="banner spaced">
          {fill(maintenanceTexts.banner, {
            title: monitor.maintenance.title,
            time: <Time iso={monitor.maintenance.until} />,
            effect: maintenanceTexts.effects[monitor.maintenance.mode],
          })}{" "}
          <Link to={{ page: "maintenance" }}>{maintenanceTexts.title}</Link>
        </p>
      )}
      {isStale && <p className="stale">{commonTexts.outdatedPage}</p>}
      <RunningCheck monitor={monitor} />
      <Facts monitor={monitor} />
      <Uptime monitor={monitor} />
      <CheckRegions monitor={monitor} />
      <HttpCheck monitor={monitor} />
      <Drift monitor={monitor} chosen={chosen} onChoose={setChosen} />
      <LatestScreenshot monitor={monitor} chosen={chosen} />
      <TimeLapse monitor={monitor} moment={moment} chosen={chosen} />
      <MonitorIncidents monitorId={monitor.id} />
      <Channels monitor={monitor} />
      <Badge monitor={monitor} />
      <Checks monitor={monitor} />
    </>
  );
}

function Facts({ monitor }: { monitor: MonitorView }) {
  const { lastCheck, nextRunAt, uptime, alertingSince, snoozedUntil, lastChangeAt, options } = monitor;
  const names = monitorTexts.facts;
  const leftOut = [...(options.hide ?? []), ...(options.masks ?? [])];
  return (
    <dl className="run-facts">
      <div>
        <dt>{names.lastCheck}</dt>
        <dd>{lastCheck ? <Time iso={lastCheck.startedAt} /> : monitorTexts.noCheck}</dd>
      </div>
      <div>
        <dt>{names.nextCheck}</dt>
        <dd>{nextRunAt ? <Time iso={nextRunAt} /> : monitorTexts.notScheduled}</dd>
      </div>
      <div>
        <dt>{names.schedule}</dt>
        <dd>{intervalText(monitor.intervalMinutes)}</dd>
      </div>
      {uptime !== null && (
        <div>
          <dt>{names.uptime}</dt>
          <dd>{monitorTexts.uptime(uptime)}</dd>
        </div>
      )}
      {lastChangeAt && (
        <div>
          <dt>{names.lastChange}</dt>
          <dd>
            <Time iso={lastChangeAt} />
          </dd>
        </div>
      )}
      <div>
        <dt>{names.incident}</dt>
        <dd className={alertingSince ? "is-alerted" : ""}>
          {alertingSince
            ? fill(monitorTexts.incidentStarted, { time: <Time iso={alertingSince} /> })
            : monitorTexts.noIncident}
        </dd>
      </div>
      {snoozedUntil && (
        <div>
          <dt>{names.snoozedUntil}</dt>
          <dd>
            <Time iso={snoozedUntil} />
          </dd>
        </div>
      )}
      {monitor.certificate && (
        <div>
          <dt>{names.certificate}</dt>
          <dd
            className={
              (monitor.certificate.daysLeft ?? EXPIRES_SOON_DAYS) < EXPIRES_SOON_DAYS ? "is-alerted" : ""
            }
            title={monitor.certificate.issuer ?? undefined}
          >
            {certificateText(monitor.certificate)}
          </dd>
        </div>
      )}
      {monitor.tags.length > 0 && (
        <div>
          <dt>{names.tags}</dt>
          <dd>{monitor.tags.join(", ")}</dd>
        </div>
      )}
      {leftOut.length > 0 && (
        <div>
          <dt>{names.leftOut}</dt>
          <dd>
            <code className="left-out">{leftOut.join(", ")}</code>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Shows the progress of a check. Without a check its space stays, so that nothing moves. */
function RunningCheck({ monitor: { currentCheck } }: { monitor: MonitorView }) {
  const runId = currentCheck?.runId ?? null;
  const { data: run } = useQuery({ ...runQuery(runId ?? ""), enabled: runId !== null });
  useProgress(runId);
  const [wasSeen, setSeen] = useState(false);
  useEffect(() => {
    if (runId !== null) setSeen(true);
  }, [runId]);
  if (!currentCheck) return wasSeen ? <p className="under-way" /> : null;
  const progress =
    run && !isEnded(run.status)
      ? monitorTexts.captured(run.progress.captured, run.progress.total)
      : currentCheck.attempts > 1
        ? monitorTexts.confirming
        : run
          ? monitorTexts.comparing
          : monitorTexts.starting;
  return (
    <p className="under-way">
      <span className="pulse" aria-hidden="true" />
      {/* Screen readers announce this once, and not every later number. */}
      <span role="status">{monitorTexts.checkRunning}</span> {progress}{" "}
      <Link to={{ page: "run", id: currentCheck.runId }}>{monitorTexts.viewRun}</Link>
    </p>
  );
}
