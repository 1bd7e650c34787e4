import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { MonitorView } from "../../shared/contracts/monitors.ts";
import { isEnded } from "../../shared/is-ended.ts";
import { runQuery } from "../api/queries.ts";
import { useProgress } from "../api/use-progress.ts";
import { Link } from "../location.tsx";
import { useMe } from "../session.tsx";
import { Icon } from "../ui/icon.tsx";
import { Time } from "../ui/time.tsx";
import { Channels } from "./channels.tsx";
import { Checks } from "./checks.tsx";
import { Drift } from "./drift.tsx";
import { LastLook } from "./last-look.tsx";
import { MonitorActs } from "./monitor-acts.tsx";
import {
  everyInWords,
  hostOf,
  lastInWords,
  restInWords,
  standingOf,
  uptimeInWords,
} from "./monitor-words.ts";
import type { WatchedPage } from "./watched-page.ts";

/** One monitor: how its site is and was, and who is told. */
export function MonitorPage({ monitor, isStale }: { monitor: MonitorView; isStale: boolean }) {
  const { may } = useMe();
  const [chosen, setChosen] = useState<WatchedPage | null>(null);
  const standing = standingOf(monitor);
  const rest = restInWords(monitor, may("reviewer"));
  return (
    <>
      <div className="run-top">
        <div className="monitor-title">
          <h1 data-standing={standing.name}>
            <span className="verdict">
              <Icon name={standing.name} />
            </span>
            {monitor.name}
          </h1>
          <p className="project">
            <a href={monitor.url} target="_blank" rel="noreferrer">
              {hostOf(monitor.url)}
            </a>{" "}
            · <strong>{standing.word}</strong>
          </p>
        </div>
        <MonitorActs monitor={monitor} />
      </div>
      <p className="detail">{lastInWords(monitor)}</p>
      {rest && (
        <p className="banner spaced">
          {rest} {monitor.hold && <Link to={{ page: "settings", setting: "usage" }}>Plan and usage</Link>}
        </p>
      )}
      {isStale && <p className="stale">This page may be out of date: the service does not answer.</p>}
      <UnderWay monitor={monitor} />
      <Facts monitor={monitor} />
      <Drift monitor={monitor} chosen={chosen} onChoose={setChosen} />
      <LastLook monitor={monitor} chosen={chosen} />
      <Channels monitor={monitor} />
      <Checks monitor={monitor} />
    </>
  );
}

function Facts({ monitor }: { monitor: MonitorView }) {
  const { lastCheck, nextRunAt, uptime, alertingSince, snoozedUntil, lastChangeAt, options } = monitor;
  const leftOut = [...(options.hide ?? []), ...(options.masks ?? [])];
  return (
    <dl className="run-facts">
      <div>
        <dt>Last check</dt>
        <dd>{lastCheck ? <Time iso={lastCheck.startedAt} /> : "none yet"}</dd>
      </div>
      <div>
        <dt>Next check</dt>
        <dd>{nextRunAt ? <Time iso={nextRunAt} /> : "not planned"}</dd>
      </div>
      <div>
        <dt>Checked</dt>
        <dd>{everyInWords(monitor.intervalMinutes)}</dd>
      </div>
      {uptime !== null && (
        <div>
          <dt>Answered</dt>
          <dd>{uptimeInWords(uptime)} of checks</dd>
        </div>
      )}
      {lastChangeAt && (
        <div>
          <dt>Last change</dt>
          <dd>
            <Time iso={lastChangeAt} />
          </dd>
        </div>
      )}
      <div>
        <dt>Incident</dt>
        <dd className={alertingSince ? "is-alerted" : ""}>
          {alertingSince ? (
            <>
              began <Time iso={alertingSince} />
            </>
          ) : (
            "none"
          )}
        </dd>
      </div>
      {snoozedUntil && (
        <div>
          <dt>Snooze ends</dt>
          <dd>
            <Time iso={snoozedUntil} />
          </dd>
        </div>
      )}
      {leftOut.length > 0 && (
        <div>
          <dt>Left out</dt>
          <dd>
            <code className="left-out">{leftOut.join(", ")}</code>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** A check as it goes. Its place is kept when there is none, so that nothing jumps. */
function UnderWay({ monitor: { currentCheck } }: { monitor: MonitorView }) {
  const runId = currentCheck?.runId ?? null;
  const { data: run } = useQuery({ ...runQuery(runId ?? ""), enabled: runId !== null });
  useProgress(runId);
  const [wasSeen, setSeen] = useState(false);
  useEffect(() => {
    if (runId !== null) setSeen(true);
  }, [runId]);
  if (!currentCheck) return wasSeen ? <p className="under-way" /> : null;
  const words =
    run && !isEnded(run.status)
      ? `${run.progress.captured} of ${run.progress.total} screenshots taken`
      : currentCheck.attempts > 1
        ? "Looking again at what was not fine"
        : run
          ? "Its screenshots are being judged"
          : "Beginning";
  return (
    <p className="under-way">
      <span className="pulse" aria-hidden="true" />
      {/* Read out once; the numbers that follow are there for who looks for them. */}
      <span role="status">A check is under way.</span> {words}.{" "}
      <Link to={{ page: "run", id: currentCheck.runId }}>Follow its run</Link>
    </p>
  );
}
