import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { CheckView } from "../../shared/contracts/monitors/checks.ts";
import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import { elapsed } from "../../shared/text/format.ts";
import { reloadQueries } from "../api/reloader.ts";
import { Link } from "../navigation.tsx";
import { loadedThings } from "../texts/common.ts";
import { moment } from "../texts/format.ts";
import { checksTexts, checkText } from "../texts/monitors/monitors.ts";
import { regionsText } from "../texts/monitors/regions.ts";
import { More } from "../ui/more.tsx";
import { Problem } from "../ui/parts.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { outcomeBadge } from "./monitor-status.ts";
import { checksQuery } from "./queries.ts";

/** Shows the last checks as a strip and as a list. */
export function Checks({ monitor }: { monitor: MonitorView }) {
  const { id, lastCheck, recentChecks, currentCheck } = monitor;
  const list = useInfiniteQuery(checksQuery(id));
  const { data, error, refetch } = list;
  useRefreshOnNewCheck(id, `${currentCheck?.id ?? ""} ${lastCheck?.id ?? ""}`);
  const checks = data?.pages.flatMap(page => page.data);
  return (
    <section aria-labelledby="checks" className="section">
      <h2 id="checks">{checksTexts.title}</h2>
      {recentChecks.length > 0 && (
        <ol className="check-strip" aria-label={checksTexts.latest}>
          {recentChecks.map(check => {
            const { name, word } = outcomeBadge(check.outcome);
            const words = checksTexts.latestCheck(moment(new Date(check.startedAt)), word);
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
      {error && !checks && <Problem error={error} what={loadedThings.checks} again={refetch} />}
      {checks?.length === 0 && <p className="empty">{checksTexts.empty}</p>}
      {checks && checks.length > 0 && (
        <ul className="rows" aria-label={checksTexts.title}>
          {checks.map((check, index) => (
            <CheckRow key={check.id} check={check} above={checks[index - 1]} />
          ))}
        </ul>
      )}
      <More list={list}>{checksTexts.older}</More>
    </section>
  );
}

/** Reloads all checks on the page when one starts or ends. @param newest identifies the latest check */
function useRefreshOnNewCheck(id: string, newest: string): void {
  const client = useQueryClient();
  const read = useRef(newest);
  useEffect(() => {
    if (read.current === newest) return;
    read.current = newest;
    void reloadQueries(client, { queryKey: checksQuery(id).queryKey });
  }, [client, id, newest]);
}

interface CheckRowProps {
  check: CheckView;
  /** The newer check in the row above. */
  above: CheckView | undefined;
}

function CheckRow({ check, above }: CheckRowProps) {
  // Long messages, such as the URLs of failed pages, are shown once.
  const isSameError = check.error !== null && check.error === above?.error;
  const known = new Set(above?.warnings.map(({ message }) => message));
  const regions = regionsText(check);
  return (
    <li className="check-row">
      <span className="check-outcome">
        <Status {...outcomeBadge(check.outcome)} />
      </span>
      <span className="row-what">
        <span className={isSameError ? "quiet" : undefined}>
          {isSameError ? checksTexts.sameAsAbove : checkText(check)}
        </span>
        {check.warnings
          .filter(({ message }) => !known.has(message))
          .map(({ message }) => (
            <span className="quiet" key={message}>
              {message}
            </span>
          ))}
        {regions !== "" && <span className="quiet">{regions}</span>}
        <span className="quiet">
          {checksTexts.kinds[check.kind]}
          {check.maintenance && ` · ${checksTexts.maintenance}`}
          {check.attempts > 1 && ` · ${checksTexts.attempts(check.attempts)}`}
          {check.endedAt && ` · ${elapsed(check.startedAt, check.endedAt)}`}
        </span>
      </span>
      <span className="quiet">
        <Time iso={check.startedAt} />
      </span>
      <span className="check-links">
        <Link to={{ page: "run", id: check.runId }}>{checksTexts.openRun}</Link>
        <a
          href={check.report.slice(check.report.indexOf("/v1/reports/") + 1)}
          target="_blank"
          rel="noreferrer"
        >
          {checksTexts.openReport}
        </a>
      </span>
    </li>
  );
}
