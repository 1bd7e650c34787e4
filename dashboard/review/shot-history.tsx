import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ScreenshotEntry } from "../../shared/contracts/baselines.ts";
import type { RunView } from "../../shared/contracts/http.ts";
import { count, percent, standingOf } from "../../shared/report/words.ts";
import { ownLink, type Shot } from "../api/shot.ts";
import { appearancesQuery } from "../baselines/queries.ts";
import { Link } from "../location.tsx";
import { ProjectName } from "../monitors/project-name.tsx";
import { Problem, Waiting } from "../ui/parts.tsx";
import { SmallPicture } from "../ui/small-picture.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import "./shot-history.css";

/** The name of the screenshot's panels, of which one at a time is open. */
export const SHOT_PANELS = "shot-panels";

/** Runs in the strip. */
const RUNS = 12;
/** As wide as a picture of the strip, CSS px. */
const SHOWN_PX = 88;

/** The steps of a capture, in their order, as people would say them. */
const STEPS: Record<string, string> = {
  prepare: "a fresh browser context",
  load: "loading",
  settle: "coming to rest",
  freeze: "stopping animations",
  screenshot: "photographing",
  retakeWait: "waiting before another take",
  repaint: "painting again",
  nameMoving: "naming what moves",
};

interface ShotHistoryProps {
  run: Pick<RunView, "id" | "project">;
  shot: Shot;
}

/** How this page stood in the runs before, and how long its capture took: asked for when it is opened. */
export function ShotHistory({ run, shot }: ShotHistoryProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="viewer-facts shot-history"
      name={SHOT_PANELS}
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary>History</summary>
      <div>{isOpen && <Panel run={run} shot={shot} />}</div>
    </details>
  );
}

function Panel({ run, shot: { route, viewport } }: ShotHistoryProps) {
  const page = { project: run.project, route, viewport };
  const { data, error, refetch } = useQuery(appearancesQuery(page, RUNS));
  const here = data?.data.find(({ runId }) => runId === run.id);
  if (error && !data) return <Problem error={error} what="The history" again={refetch} />;
  if (!data) return <Waiting what="the history" />;
  return (
    <>
      <h3>In the last runs</h3>
      <ol className="strip">
        {data.data.map(entry => (
          <li key={entry.id}>
            <Appearance entry={entry} isHere={entry.runId === run.id} />
          </li>
        ))}
      </ol>
      {here?.timings && <Timings entry={here} timings={here.timings} />}
      <p className="strip-links">
        <Link to={{ page: "history", ...page }}>Every approval of this page</Link>
        <Link to={{ page: "baselines", project: run.project }}>
          Baselines of <ProjectName project={run.project} />
        </Link>
      </p>
    </>
  );
}

function Appearance({ entry, isHere }: { entry: ScreenshotEntry; isHere: boolean }) {
  const { runId, id, image, width, height, branch, pr, at } = entry;
  const { status, minor, review, carried } = entry;
  const standing = standingOf({
    ...{ status, minor },
    review: review && { state: review },
    carried: carried ? {} : null,
  });
  return (
    <Link to={{ page: "review", id: runId, shot: id }} aria-current={isHere ? "true" : undefined}>
      <SmallPicture
        className="strip-picture"
        image={ownLink(image)}
        width={width}
        height={height}
        shownPx={SHOWN_PX}
      />
      <Status name={standing} />
      <span className="quiet">{driftOf(entry)}</span>
      <span className="quiet strip-where">{pr === null ? branch : `#${pr}`}</span>
      <span className="quiet">
        <Time iso={at} />
      </span>
    </Link>
  );
}

function driftOf({ diffRatio, stable }: ScreenshotEntry): string {
  if (stable === false) return diffRatio ? `${percent(diffRatio)}, unstable` : "unstable";
  if (diffRatio === null) return "not compared";
  return diffRatio === 0 ? "identical" : percent(diffRatio);
}

interface TimingsProps {
  entry: ScreenshotEntry;
  timings: Record<string, number>;
}

/** Where the time of the capture went. */
function Timings({ entry: { attempts, browser }, timings }: TimingsProps) {
  const known = Object.keys(STEPS).filter(step => step in timings);
  const others = Object.keys(timings).filter(step => !(step in STEPS));
  const steps = [...known, ...others]
    .map(step => ({ step, ms: timings[step] ?? 0 }))
    .filter(({ ms }) => ms > 0);
  const total = steps.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <>
      <h3>
        Its capture took {seconds(total)}{" "}
        <span className="quiet">
          in {count(attempts, "take")}
          {browser && `, with ${browser}`}
        </span>
      </h3>
      <ol className="timings">
        {steps.map(({ step, ms }) => (
          <li key={step}>
            <span>{STEPS[step] ?? step}</span>
            <meter min={0} max={total} value={ms} aria-label={STEPS[step] ?? step} />
            <span className="quiet">{seconds(ms)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
