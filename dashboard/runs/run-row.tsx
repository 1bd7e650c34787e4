import type { RunView } from "../../shared/contracts/http.ts";
import { isEnded } from "../../shared/is-ended.ts";
import { count, elapsed } from "../../shared/report/words.ts";
import { Link } from "../location.tsx";
import { CountsBar } from "../run/counts-bar.tsx";
import { outcomeOf, Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";

/** One run in the list: what came out, of what, when. */
export function RunRow({ run }: { run: RunView }) {
  const { standing, word } = outcomeOf(run);
  return (
    <li>
      <Link className="run-row" to={{ page: "run", id: run.id }}>
        <span className="run-outcome">
          <Status name={standing} word={word} />
        </span>
        <span className="run-what">
          <strong>{run.project}</strong>
          <span className="quiet">{whereOf(run)}</span>
        </span>
        <span className="run-counts">
          <CountsBar run={run} />
          <span className="quiet">{countsInWords(run)}</span>
        </span>
        <span className="run-when quiet">
          <Time iso={run.createdAt} />
          {run.completedAt && <span>{elapsed(run.createdAt, run.completedAt)}</span>}
        </span>
      </Link>
    </li>
  );
}

/** The branch, pull request and commit of a run. */
export function whereOf({ branch, scm }: RunView): string {
  const parts = [branch, scm?.pr ? `#${scm.pr}` : null, scm ? scm.sha.slice(0, 7) : null];
  return parts.filter(part => part !== null).join(" · ");
}

function countsInWords(run: RunView): string {
  const { progress, counts } = run;
  if (!isEnded(run.status)) return `${progress.captured} of ${count(progress.total, "screenshot")}`;
  const differing = (["changed", "new", "removed", "failed"] as const)
    .filter(name => counts[name] > 0)
    .map(name => `${counts[name]} ${name}`);
  return differing.length > 0 ? differing.join(", ") : `${counts.unchanged} unchanged`;
}
