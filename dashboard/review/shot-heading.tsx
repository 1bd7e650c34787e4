import { useEffect, useRef, useState } from "react";
import type { RunView } from "../../shared/contracts/http.ts";
import { foldPanels } from "../../shared/report/page/fold-panels.js";
import { reviewInWords } from "../../shared/report/review-words.ts";
import { count, difference, differenceInFull, percent } from "../../shared/report/words.ts";
import type { Shot } from "../api/shot.ts";
import { Link } from "../location.tsx";
import { Flaky } from "../run/flaky.tsx";
import { Remarks } from "../run/remarks.tsx";
import { CutInMiddle } from "../ui/cut-in-middle.tsx";
import { Status, statusOf } from "../ui/status.tsx";
import { Timed } from "../ui/timed.tsx";
import { SHOT_PANELS, ShotHistory } from "./shot-history.tsx";

/** What is looked at, how it differs, and from what. */
export function ShotHeading({ run, shot }: { run: RunView; shot: Shot }) {
  const line = useRef<HTMLDivElement>(null);
  const [hasDetails, setHasDetails] = useState(false);
  useEffect(() => (line.current ? foldPanels(line.current) : undefined), []);
  return (
    <div className="shot-heading">
      <div className="shot-line" aria-live="polite" ref={line}>
        <h2 title={shot.route}>
          <CutInMiddle text={shot.route} /> <span className="quiet">{shot.viewport} px</span>
        </h2>
        <p className="quiet">
          <Status {...statusOf(shot)} /> <span>{difference(shot)}</span> <Flaky shot={shot} />
          {shot.baseline && <span>baseline: {shot.baseline.reason}</span>}
        </p>
        <ShotHistory run={run} shot={shot} />
        <details
          className="viewer-facts"
          name={SHOT_PANELS}
          onToggle={event => setHasDetails(event.currentTarget.open)}
        >
          <summary>Details</summary>
          {hasDetails && <Facts shot={shot} project={run.project} />}
        </details>
      </div>
      <div className="shot-remarks">
        <Remarks shot={shot} />
      </div>
    </div>
  );
}

function Facts({ shot, project }: { shot: Shot; project: string }) {
  const { baseline, width, height } = shot;
  return (
    <div>
      <Remarks shot={shot} />
      <dl className="facts">
        {shot.diffRatio !== null && (
          <>
            <dt>Difference</dt>
            <dd>{differenceInFull(shot.diffRatio, shot.diffPixels)}</dd>
          </>
        )}
        <dt>Baseline</dt>
        <dd>
          {baseline ? (
            <>
              {baseline.reason}, in <Link to={{ page: "run", id: baseline.runId }}>its run</Link>
            </>
          ) : (
            "none yet"
          )}
        </dd>
        {width !== null && (
          <>
            <dt>Size</dt>
            <dd>
              {width} × {height} px{baseline && `, before ${baseline.width} × ${baseline.height} px`}
            </dd>
            <dt>Stable</dt>
            <dd>
              {shot.stable ? "yes" : "no"}, after {count(shot.attempts, "take")}
            </dd>
          </>
        )}
        {shot.flakeScore !== undefined && shot.flakeScore > 0 && (
          <>
            <dt>Flake score</dt>
            <dd>
              {percent(shot.flakeScore)} of the page's recent captures were noise.{" "}
              <Link to={{ page: "noise", project }}>Noise of the project</Link>
            </dd>
          </>
        )}
        {shot.browser && (
          <>
            <dt>Browser</dt>
            <dd>{shot.browser}</dd>
          </>
        )}
        {shot.reviews.length > 0 && (
          <>
            <dt>Reviews</dt>
            <dd>
              <ol className="reviews">
                {shot.reviews.map(review => (
                  <li key={`${review.by.id} ${review.at}`}>
                    <Timed words={reviewInWords(review)} />
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
