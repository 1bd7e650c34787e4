import { type ReactNode, useEffect, useRef, useState } from "react";
import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { describeReview } from "../../shared/report/describe-review.ts";
import { formatDifference } from "../../shared/report/describe-screenshot.ts";
import { foldPanels } from "../../shared/report/page/fold-panels.js";
import { percent } from "../../shared/text/format.ts";
import type { Screenshot } from "../api/screenshot.ts";
import { Link } from "../navigation.tsx";
import { Difference, Flaky, Remarks } from "../run/remarks.tsx";
import { commonTexts } from "../texts/common.ts";
import { screenshotTexts } from "../texts/review.ts";
import { fill } from "../ui/fill.ts";
import { Status, statusOf } from "../ui/status.tsx";
import { PageName } from "../ui/text/page-name.tsx";
import { Timed } from "../ui/text/time.tsx";
import { DiagnosticsPanel } from "./diagnostics-panel.tsx";
import { ExplanationPanel } from "./explanation-panel.tsx";
import { FailurePanel } from "./failure-panel.tsx";
import { HistoryPanel, SCREENSHOT_PANELS } from "./history-panel.tsx";
import { argsText, StoryPanel } from "./story-panel.tsx";
import { TestPanel } from "./test-panel.tsx";
import type { Proving } from "./use-prove.ts";

/** Characters of a name that shrinks if the line is too short. */
const LONG_NAME = 24;

interface ScreenshotHeadingProps {
  run: RunView;
  shot: Screenshot;
  proving: Proving;
  /** Further controls of the line. */
  children?: ReactNode;
}

/** Shows the screenshot's page, its difference, and its baseline. */
export function ScreenshotHeading({ run, shot, proving, children }: ScreenshotHeadingProps) {
  const line = useRef<HTMLDivElement>(null);
  const [hasDetails, setHasDetails] = useState(false);
  const name = pageName(shot);
  useEffect(() => (line.current ? foldPanels(line.current) : undefined), []);
  return (
    <div className="shot-heading">
      <div className="shot-line" aria-live="polite" ref={line}>
        <h2 title={name} className={name.length > LONG_NAME ? "long" : undefined}>
          <PageName page={shot} /> <span className="quiet">{commonTexts.px(shot.viewport)}</span>
        </h2>
        <p className="quiet">
          {shot.story && argsText(shot.story) !== "" && (
            <span className="story-args cut-end" title={argsText(shot.story)}>
              {argsText(shot.story)}
            </span>
          )}
          <Status {...statusOf(shot)} /> <Difference shot={shot} /> <Flaky shot={shot} />
          {shot.baseline && (
            <span className="baseline-reason">{screenshotTexts.baselineIs(shot.baseline.reason)}</span>
          )}
        </p>
        {shot.images.failure && <FailurePanel shot={shot} />}
        {shot.explanation && (
          <ExplanationPanel explanation={shot.explanation} proof={shot.proof ?? null} proving={proving} />
        )}
        {shot.diagnostics && <DiagnosticsPanel diagnostics={shot.diagnostics} />}
        {shot.upload && <TestPanel upload={shot.upload} />}
        {shot.story && <StoryPanel runId={run.id} story={shot.story} mode={shot.environment} />}
        <HistoryPanel run={run} shot={shot} />
        <details
          className="viewer-facts"
          name={SCREENSHOT_PANELS}
          onToggle={event => setHasDetails(event.currentTarget.open)}
        >
          <summary>{screenshotTexts.details}</summary>
          {hasDetails && <Facts shot={shot} project={run.project} />}
        </details>
        {children}
      </div>
      <div className="shot-remarks">
        <Remarks shot={shot} />
      </div>
    </div>
  );
}

function Facts({ shot, project }: { shot: Screenshot; project: string }) {
  const { baseline, width, height } = shot;
  return (
    <div>
      <Remarks shot={shot} />
      <dl className="facts">
        {shot.diffRatio !== null && (
          <>
            <dt>{screenshotTexts.difference}</dt>
            <dd>{formatDifference(shot)}</dd>
          </>
        )}
        <dt>{screenshotTexts.baseline}</dt>
        <dd>
          {baseline
            ? fill(screenshotTexts.baselineInRun, {
                reason: baseline.reason,
                link: <Link to={{ page: "run", id: baseline.runId }}>{screenshotTexts.viewRun}</Link>,
              })
            : screenshotTexts.noBaseline}
        </dd>
        {width !== null && (
          <>
            <dt>{screenshotTexts.size}</dt>
            <dd>{sizeText({ width, height: height ?? 0 }, baseline)}</dd>
          </>
        )}
        {width !== null && !shot.upload && (
          <>
            <dt>{screenshotTexts.stable}</dt>
            <dd>{screenshotTexts.stability(shot.stable, shot.attempts)}</dd>
          </>
        )}
        {shot.flakeScore !== undefined && shot.flakeScore > 0 && (
          <>
            <dt>{screenshotTexts.flakeScore}</dt>
            <dd>
              {fill(screenshotTexts.flakeScoreIs, {
                percent: percent(shot.flakeScore),
                link: <Link to={{ page: "noise", project }}>{screenshotTexts.viewNoise}</Link>,
              })}
            </dd>
          </>
        )}
        {shot.browser && (
          <>
            <dt>{screenshotTexts.browser}</dt>
            <dd>{shot.browser}</dd>
          </>
        )}
        {shot.reviews.length > 0 && (
          <>
            <dt>{screenshotTexts.reviews}</dt>
            <dd>
              <ol className="reviews">
                {shot.reviews.map(review => (
                  <li key={`${review.by.id} ${review.at}`}>
                    <Timed words={describeReview(review)} />
                  </li>
                ))}
              </ol>
            </dd>
          </>
        )}
      </dl>
    </div>
  );
}

interface Size {
  width: number;
  height: number;
}

function sizeText({ width, height }: Size, before: Size | null): string {
  const size = screenshotTexts.sizeOf(width, height);
  return before
    ? screenshotTexts.sizeBefore(size, screenshotTexts.sizeOf(before.width, before.height))
    : size;
}
