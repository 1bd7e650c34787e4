import type { ReactNode } from "react";
import type { RunView } from "../../shared/contracts/http.ts";
import { isEnded } from "../../shared/is-ended.ts";
import type { Tally } from "../../shared/report/tally.ts";
import { verdictFrom } from "../../shared/report/verdict.ts";
import { limitInWords } from "../../shared/report/words.ts";
import { Link } from "../location.tsx";
import { ProjectLink } from "../monitors/project-name.tsx";
import { Elapsed } from "../ui/elapsed.tsx";
import { Icon } from "../ui/icon.tsx";
import { outcomeOf } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { CountsBar, StandingsBar } from "./counts-bar.tsx";

interface RunHeaderProps {
  run: RunView;
  /** Of its screenshots; null until they are counted. */
  tally: Tally | null;
  children: ReactNode;
}

/** What the run came to, and of what it was. */
export function RunHeader({ run, tally, children }: RunHeaderProps) {
  const outcome = outcomeOf(run);
  const verdict = tally && isEnded(run.status) ? verdictFrom(run, tally) : null;
  const { progress } = run;
  return (
    <header className="run">
      <p className="project">
        <ProjectLink project={run.project} />
      </p>
      <div className="page-head">
        <h1>
          <span className="verdict" data-standing={(verdict ?? outcome).standing}>
            <Icon name={(verdict ?? outcome).standing} />
          </span>
          {verdict?.title ?? sentence(outcome.word)}
        </h1>
        {children}
      </div>
      <p className="detail" aria-live="polite">
        {verdict
          ? verdict.detail
          : isEnded(run.status)
            ? "Reading the screenshots …"
            : `${progress.captured} of ${progress.total} photographed, ${progress.compared} compared.`}
      </p>
      {run.kind === "null-rerun" && (
        <p className="stale">
          A null rerun repeats a run of the same deployment to count false alarms.{" "}
          <Link to={{ page: "noise", project: run.project }}>Open the project's noise page</Link>
        </p>
      )}
      {verdict && tally ? <StandingsBar tally={tally} /> : <CountsBar run={run} />}
      <Facts run={run} />
    </header>
  );
}

function sentence(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function Facts({ run }: { run: RunView }) {
  const { scm } = run;
  const facts: [string, ReactNode][] = [
    ["Site", <Address key="url" url={run.url} />],
    ["Repository", scm && `${scm.owner}/${scm.repo}`],
    ["Pull request", scm?.pr && `#${scm.pr}`],
    ["Branch", run.branch],
    ["Commit", scm && <code title={scm.sha}>{scm.sha.slice(0, 7)}</code>],
    ["Author", scm?.author],
    ["Submitted", <Submitted key="time" run={run} />],
    [
      isEnded(run.status) ? "Took" : "So far",
      <Elapsed
        key="took"
        from={run.createdAt}
        to={isEnded(run.status) ? (run.completedAt ?? run.createdAt) : null}
      />,
    ],
    ["Threshold", `${limitInWords(run.threshold)} of pixels`],
    ["Run", <code key="id">{run.id}</code>],
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

function Submitted({ run: { createdAt, submittedBy } }: { run: RunView }) {
  return (
    <>
      <Time iso={createdAt} />
      {submittedBy && ` by ${submittedBy}`}
    </>
  );
}

/** Only web addresses become links: `javascript:` and its like stay text. */
function Address({ url }: { url: string }) {
  const protocol = URL.parse(url)?.protocol ?? "";
  if (!/^https?:$/.test(protocol)) return url;
  return (
    <a href={url} rel="noopener noreferrer" target="_blank">
      {url}
    </a>
  );
}
