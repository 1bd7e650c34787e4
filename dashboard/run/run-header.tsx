import type { ReactNode } from "react";
import { isArchiveUrl } from "../../shared/contracts/builds/archive-url.ts";
import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import { describeWarning } from "../../shared/contracts/runs/run-warning.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { monitorOfProject } from "../../shared/monitor-project.ts";
import { describeTallied } from "../../shared/report/conclusion.ts";
import type { Tally } from "../../shared/report/tally.ts";
import { ProjectLink } from "../monitors/project-name.tsx";
import { Link } from "../navigation.tsx";
import { RunReviewers } from "../people/run-reviewers.tsx";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { runTexts } from "../texts/runs/run.ts";
import { fill } from "../ui/fill.ts";
import { Icon } from "../ui/icon.tsx";
import { outcomeOf } from "../ui/status.tsx";
import { Elapsed, Time } from "../ui/text/time.tsx";
import { WebLink } from "../ui/text/web-link.tsx";
import { CountsBar, StatusBar } from "./counts-bar.tsx";
import { RunCauses, RunIntent } from "./run-causes.tsx";

interface RunHeaderProps {
  run: RunView;
  /** Tally of its screenshots; null until loaded. */
  tally: Tally | null;
  children: ReactNode;
}

/** Shows the run's result and its subject. */
export function RunHeader({ run, tally, children }: RunHeaderProps) {
  const outcome = outcomeOf(run);
  const conclusion = tally && isEnded(run.status) ? describeTallied(run, tally) : null;
  return (
    <header className="run">
      <p className="project">
        <ProjectLink project={run.project} />
      </p>
      <div className="page-head">
        <h1>
          <span className="verdict" data-standing={(conclusion ?? outcome).status}>
            <Icon name={(conclusion ?? outcome).status} />
          </span>
          {conclusion?.title ?? outcome.word}
        </h1>
        {children}
      </div>
      <p className="detail" aria-live="polite">
        {conclusion
          ? conclusion.detail
          : isEnded(run.status)
            ? commonTexts.loading(loadedThings.screenshots)
            : progressOf(run)}
      </p>
      <RunCauses causes={run.causes} />
      {run.intent && <RunIntent intent={run.intent} />}
      {run.kind === "run" && !monitorOfProject(run.project) && <RunReviewers runId={run.id} />}
      {run.warnings.length > 0 && (
        <ul className="stale" aria-label={runTexts.warnings}>
          {run.warnings.map(describeWarning).map(warning => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {run.kind === "null-rerun" && (
        <p className="stale">
          {fill(runTexts.nullRerun, {
            link: <Link to={{ page: "noise", project: run.project }}>{runTexts.viewNoise}</Link>,
          })}
        </p>
      )}
      {conclusion && tally ? <StatusBar tally={tally} /> : <CountsBar run={run} />}
      <Facts run={run} />
    </header>
  );
}

function progressOf({ source, progress: { captured, total, compared } }: RunView): string {
  return source === "upload"
    ? runTexts.uploadsCompared(compared, total)
    : runTexts.captured(captured, total, compared);
}

function Facts({ run }: { run: RunView }) {
  const { scm } = run;
  const names = runTexts.facts;
  const facts: [string, ReactNode][] = [
    [names.site, isArchiveUrl(run.url) ? runTexts.archive : run.url && <WebLink key="url" url={run.url} />],
    [names.source, run.source === "upload" && runTexts.uploaded],
    [names.repository, scm && `${scm.owner}/${scm.repo}`],
    [names.pullRequest, scm?.pr && commonTexts.pullRequest(scm.pr)],
    [names.branch, run.branch],
    [names.commit, scm && <code title={scm.sha}>{scm.sha.slice(0, 7)}</code>],
    [names.author, scm?.author],
    [names.submitted, <Submitted key="time" run={run} />],
    [
      names.duration,
      <Elapsed
        key="took"
        from={run.createdAt}
        to={isEnded(run.status) ? (run.completedAt ?? run.createdAt) : null}
      />,
    ],
    [names.threshold, runTexts.ofPixels(run.threshold)],
    [names.fromProject, fieldNames(run.configuredBy?.project) && <FromProject key="project" run={run} />],
    [names.fromRepository, fieldNames(run.configuredBy?.repository)],
    [names.id, <code key="id">{run.id}</code>],
  ];
  return (
    <dl className="run-facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function fieldNames(fields: readonly string[] = []): string {
  return fields.join(", ");
}

/** Names the fields that the project's stored configuration set, with a link to it. */
function FromProject({ run: { project, configuredBy } }: { run: RunView }) {
  return <Link to={{ page: "configuration", project }}>{fieldNames(configuredBy?.project)}</Link>;
}

function Submitted({ run: { createdAt, submittedBy } }: { run: RunView }) {
  const time = <Time iso={createdAt} />;
  return submittedBy ? fill(runTexts.submittedBy, { time, name: submittedBy }) : time;
}
