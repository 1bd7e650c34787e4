import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { formatCounts } from "../../shared/report/describe-screenshot.ts";
import { elapsed } from "../../shared/text/format.ts";
import { MonitorLink, ProjectName } from "../monitors/project-name.tsx";
import { Link } from "../navigation.tsx";
import { CountsBar } from "../run/counts-bar.tsx";
import { commonTexts } from "../texts/common.ts";
import { formatHost } from "../texts/format.ts";
import { runsTexts } from "../texts/runs/runs.ts";
import { outcomeOf, Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";

/** Shows a run in the list: its result, subject and time. */
export function RunRow({ run }: { run: RunView }) {
  const { status, word } = outcomeOf(run);
  return (
    <li className="run-row">
      <span className="run-outcome">
        <Status name={status} word={word} />
      </span>
      <span className="run-what">
        <Link className="run-open" to={{ page: "run", id: run.id }}>
          <ProjectName project={run.project} />
        </Link>
        <span className="quiet">
          {subjectOf(run)}
          <MonitorLink project={run.project} />
        </span>
      </span>
      <span className="run-counts">
        <CountsBar run={run} />
        <span className="quiet">{foundInWords(run)}</span>
      </span>
      <span className="run-when quiet">
        <Time iso={run.createdAt} />
        {run.completedAt && <span>{elapsed(run.createdAt, run.completedAt)}</span>}
      </span>
    </li>
  );
}

/**
 * Returns the branch, pull request and commit of a run; without a commit, the address of its site. Says so if its
 * screenshots were uploaded.
 */
export function subjectOf({ branch, scm, url, source }: RunView): string {
  const parts = [
    branch,
    scm?.pr ? commonTexts.pullRequest(scm.pr) : null,
    scm ? scm.sha.slice(0, 7) : formatHost(url),
    source === "upload" ? runsTexts.uploaded : null,
  ];
  return parts.filter(Boolean).join(" · ");
}

function foundInWords(run: RunView): string {
  const { progress, counts } = run;
  if (!isEnded(run.status) && run.source === "upload")
    return progress.total === 0 ? runsTexts.uploading : runsTexts.compared(progress.compared, progress.total);
  if (!isEnded(run.status)) return runsTexts.captured(progress.captured, progress.total);
  return formatCounts(counts) || commonTexts.noScreenshots;
}
