import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { sumTimings } from "../../shared/contracts/capture/timings.ts";
import type { ScreenshotEntry } from "../../shared/contracts/runs/baselines.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { displayStatusOf } from "../../shared/report/display-status.ts";
import { STATUS_NAMES } from "../../shared/report/texts.ts";
import { percent } from "../../shared/text/format.ts";
import { ownLink, type Screenshot } from "../api/screenshot.ts";
import { appearancesQuery } from "../baselines/queries.ts";
import { ProjectName } from "../monitors/project-name.tsx";
import { Link } from "../navigation.tsx";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { duration } from "../texts/format.ts";
import { captureSteps, screenshotTexts } from "../texts/review.ts";
import { fill } from "../ui/fill.ts";
import { Loading, Problem } from "../ui/parts.tsx";
import { SmallScreenshot } from "../ui/screenshots/small-screenshot.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import "./history-panel.css";

/** Name of the screenshot's panels. Only one of them is open. */
export const SCREENSHOT_PANELS = "shot-panels";

/** Runs in the strip. */
const RUNS = 12;
/** Width of an image in the strip, CSS px. */
const SHOWN_PX = 88;

interface HistoryPanelProps {
  run: Pick<RunView, "id" | "project">;
  shot: Screenshot;
}

/** Shows this page's earlier runs and the timings of its capture, loaded when opened. */
export function HistoryPanel({ run, shot }: HistoryPanelProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="viewer-facts shot-history"
      name={SCREENSHOT_PANELS}
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary>{screenshotTexts.history}</summary>
      <div>{isOpen && <Panel run={run} shot={shot} />}</div>
    </details>
  );
}

function Panel({ run, shot }: HistoryPanelProps) {
  const page = { project: run.project, ...pickPage(shot) };
  const { data, error, refetch } = useQuery(appearancesQuery(page, RUNS));
  const here = data?.data.find(({ runId }) => runId === run.id);
  if (error && !data) return <Problem error={error} what={loadedThings.history} again={refetch} />;
  if (!data) return <Loading what={loadedThings.history} />;
  return (
    <>
      <h3>{screenshotTexts.recentRuns}</h3>
      <ol className="strip">
        {data.data.map(entry => (
          <li key={entry.id}>
            <Appearance entry={entry} isHere={entry.runId === run.id} />
          </li>
        ))}
      </ol>
      {here?.timings && <Timings entry={here} timings={here.timings} />}
      <p className="strip-links">
        <Link to={{ page: "history", ...page }}>{screenshotTexts.allApprovals}</Link>
        <Link to={{ page: "baselines", project: run.project }}>
          {fill(screenshotTexts.baselinesOf, { project: <ProjectName project={run.project} /> })}
        </Link>
      </p>
    </>
  );
}

function Appearance({ entry, isHere }: { entry: ScreenshotEntry; isHere: boolean }) {
  const { runId, id, image, width, height, branch, pr, at } = entry;
  const { status, minor, review, carried } = entry;
  const standing = displayStatusOf({
    ...{ status, minor },
    review: review && { state: review },
    carried: carried ? {} : null,
  });
  return (
    <Link to={{ page: "review", id: runId, shot: id }} aria-current={isHere ? "true" : undefined}>
      <SmallScreenshot
        className="strip-picture"
        image={ownLink(image)}
        width={width}
        height={height}
        shownPx={SHOWN_PX}
      />
      <Status name={standing} word={STATUS_NAMES[standing]} />
      <span className="quiet">{driftOf(entry)}</span>
      <span className="quiet strip-where">{pr === null ? branch : commonTexts.pullRequest(pr)}</span>
      <span className="quiet">
        <Time iso={at} />
      </span>
    </Link>
  );
}

function driftOf({ diffRatio, minor, stable }: ScreenshotEntry): string {
  if (stable === false)
    return diffRatio ? screenshotTexts.differsUnstable(diffRatio) : screenshotTexts.unstable;
  if (diffRatio === null) return screenshotTexts.notCompared;
  if (diffRatio > 0) return percent(diffRatio);
  return minor ? screenshotTexts.slightColor : screenshotTexts.identical;
}

interface TimingsProps {
  entry: ScreenshotEntry;
  timings: Record<string, number>;
}

/** Shows the durations of the capture's steps. */
function Timings({ entry: { attempts, browser }, timings }: TimingsProps) {
  const known = Object.keys(captureSteps).filter(step => step in timings);
  const others = Object.keys(timings).filter(step => !(step in captureSteps));
  const steps = [...known, ...others]
    .map(step => ({ step, ms: timings[step] ?? 0 }))
    .filter(({ ms }) => ms > 0);
  const total = sumTimings(timings);
  return (
    <>
      <h3>
        {screenshotTexts.captureTook(duration(total))}{" "}
        <span className="quiet">{screenshotTexts.captureWith(attempts, browser)}</span>
      </h3>
      <ol className="timings">
        {steps.map(({ step, ms }) => (
          <li key={step}>
            <span>{captureSteps[step] ?? step}</span>
            <meter min={0} max={total} value={ms} aria-label={captureSteps[step] ?? step} />
            <span className="quiet">{duration(ms)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
