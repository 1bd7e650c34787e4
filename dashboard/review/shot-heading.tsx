import { count, difference, differenceInFull, standingOf } from "../../shared/report/words.ts";
import type { Shot } from "../api/shot.ts";
import { Link } from "../location.tsx";
import { Remarks } from "../run/remarks.tsx";
import { Status } from "../ui/status.tsx";

/** What is looked at, how it differs, and from what. */
export function ShotHeading({ shot }: { shot: Shot }) {
  return (
    <div className="shot-heading">
      <div className="shot-line" aria-live="polite">
        <h2 title={shot.route}>
          {shot.route} <span className="quiet">{shot.viewport} px</span>
        </h2>
        <p className="quiet">
          <Status name={standingOf(shot)} /> <span>{difference(shot)}</span>
          {shot.baseline && <span>baseline: {shot.baseline.reason}</span>}
        </p>
        <details className="viewer-facts">
          <summary>Details</summary>
          <Facts shot={shot} />
        </details>
      </div>
      <Remarks shot={shot} />
    </div>
  );
}

function Facts({ shot }: { shot: Shot }) {
  const { baseline, width, height } = shot;
  return (
    <div>
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
        {shot.browser && (
          <>
            <dt>Browser</dt>
            <dd>{shot.browser}</dd>
          </>
        )}
      </dl>
    </div>
  );
}
