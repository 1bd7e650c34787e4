import type { Look } from "../../../shared/contracts/comparisons/looks.ts";
import { percent } from "../../../shared/text/format.ts";
import { Link } from "../../navigation.tsx";
import { looksTexts } from "../../texts/runs/looks.ts";
import { ExplanationList } from "../../ui/explanation-list.tsx";
import { fill } from "../../ui/fill.ts";
import { Time } from "../../ui/text/time.tsx";

const SHA_CHARS = 7;

/** Shows when a look came and went, and why. */
export function LookFacts({ look, before }: { look: Look; before: Look | undefined }) {
  const { from, until, checks, commit, runId } = look;
  const times = { from: <Time iso={from} /> };
  return (
    <div className="look-facts">
      <p>
        <strong>
          {until === null
            ? fill(looksTexts.fromNow, times)
            : fill(looksTexts.fromTo, { ...times, until: <Time iso={until} /> })}
        </strong>
        , {looksTexts.checks(checks)}
      </p>
      <Change look={look} />
      {commit && (
        <p>
          {fill(looksTexts.commit, {
            commit: <code>{commit.sha.slice(0, SHA_CHARS)}</code>,
            branch: commit.branch ?? looksTexts.pullRequest,
          })}
          {" · "}
          <Link to={{ page: "run", id: commit.runId }}>{commit.project}</Link>
        </p>
      )}
      <p>
        {before && (
          <>
            <Link to={{ page: "compare", base: `look:${before.id}`, head: `look:${look.id}` }}>
              {looksTexts.compare}
            </Link>
            {" · "}
          </>
        )}
        <Link to={{ page: "run", id: runId }}>{looksTexts.openRun}</Link>
      </p>
    </div>
  );
}

function Change({ look: { change } }: { look: Look }) {
  if (!change) return <p className="quiet">{looksTexts.first}</p>;
  if (change.status === "comparing") return <p className="quiet">{looksTexts.comparing}</p>;
  if (change.status === "failed") return <p className="quiet">{looksTexts.failed}</p>;
  const { explanation, diffRatio, faintPixels, thirdParties } = change;
  const isFaint = faintPixels > 0;
  return (
    <>
      {diffRatio !== null && <p className="quiet">{isFaint ? looksTexts.slightColor : percent(diffRatio)}</p>}
      {explanation && explanation.causes.length > 0 ? (
        <div className="explanation">
          <ExplanationList explanation={explanation} />
        </div>
      ) : (
        <p className="quiet">{looksTexts.unknown}</p>
      )}
      {thirdParties.map(url => (
        <p key={url}>{fill(looksTexts.thirdParty, { url: <code>{url}</code> })}</p>
      ))}
    </>
  );
}
