import { useInfiniteQuery } from "@tanstack/react-query";
import type { CheckView, MonitorView } from "../../shared/contracts/monitors.ts";
import { elapsed } from "../../shared/report/words.ts";
import { Link } from "../location.tsx";
import { Problem } from "../ui/parts.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { foundInWords } from "./check-words.ts";
import { outcomeOf } from "./monitor-words.ts";
import { checksQuery } from "./queries.ts";

const AT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** The last checks as a strip, and one by one. */
export function Checks({ monitor }: { monitor: MonitorView }) {
  const { id, lastCheck, recentChecks, currentCheck } = monitor;
  // One that begins is read with the next that ends, but for the first.
  const newest = `${currentCheck?.id ?? ""} ${lastCheck?.id ?? ""}`;
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    checksQuery(id, newest),
  );
  const checks = data?.pages.flatMap(page => page.data);
  return (
    <section aria-labelledby="checks" className="section">
      <h2 id="checks">Checks</h2>
      {recentChecks.length > 0 && (
        <ol className="check-strip" aria-label="The last checks, oldest first">
          {recentChecks.map(check => {
            const { name, word } = outcomeOf(check.outcome);
            const words = `${AT.format(new Date(check.startedAt))}: ${word}`;
            return (
              <li key={check.id}>
                <Link
                  to={{ page: "run", id: check.runId }}
                  data-standing={name}
                  data-outcome={check.outcome}
                  title={words}
                  aria-label={words}
                />
              </li>
            );
          })}
        </ol>
      )}
      {error && !checks && <Problem error={error} what="The checks" again={refetch} />}
      {checks?.length === 0 && <p className="empty">There was no check yet.</p>}
      {checks && checks.length > 0 && (
        <ul className="rows" aria-label="Checks">
          {checks.map(check => (
            <CheckRow key={check.id} check={check} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <p className="more">
          <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {isFetchingNextPage ? "Reading …" : "Older checks"}
          </button>
        </p>
      )}
    </section>
  );
}

function CheckRow({ check }: { check: CheckView }) {
  return (
    <li className="check-row">
      <span className="check-outcome">
        <Status {...outcomeOf(check.outcome)} />
      </span>
      <span className="row-what">
        <span>{foundInWords(check)}</span>
        <span className="quiet">
          {check.kind === "manual" ? "by hand" : "on schedule"}
          {check.attempts > 1 && ` · looked ${check.attempts} times`}
          {check.endedAt && ` · ${elapsed(check.startedAt, check.endedAt)}`}
        </span>
      </span>
      <span className="quiet">
        <Time iso={check.startedAt} />
      </span>
      <span className="check-links">
        <Link to={{ page: "run", id: check.runId }}>Run</Link>
        <a
          href={check.report.slice(check.report.indexOf("/v1/reports/") + 1)}
          target="_blank"
          rel="noreferrer"
        >
          Report
        </a>
      </span>
    </li>
  );
}
