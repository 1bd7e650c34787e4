import type { RunView } from "../../shared/contracts/http.ts";
import { reviewInWords } from "../../shared/report/review-words.ts";
import { count, difference, differenceInFull } from "../../shared/report/words.ts";
import type { Shot } from "../api/shot.ts";
import { Link } from "../location.tsx";
import { Remarks } from "../run/remarks.tsx";
import { Status, statusOf } from "../ui/status.tsx";
import { Timed } from "../ui/timed.tsx";
import { ShotHistory } from "./shot-history.tsx";

/** What is looked at, how it differs, and from what. */
export function ShotHeading({ run, shot }: { run: RunView; shot: Shot }) {
  return (
    <div className="shot-heading">
      <div className="shot-line" aria-live="polite">
        <h2 title={shot.route}>
          {shot.route} <span className="quiet">{shot.viewport} px</span>
        </h2>
        <p className="quiet">
          <Status {...statusOf(shot)} /> <span>{difference(shot)}</span>
          {shot.baseline && <span>baseline: {shot.baseline.reason}</span>}
        </p>
        <ShotHistory run={run} shot={shot} />
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
