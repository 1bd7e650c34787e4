import { useQuery } from "@tanstack/react-query";
import type { HttpResult, RegionResult } from "../../../shared/contracts/monitors/http-checks.ts";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { moment } from "../../texts/format.ts";
import { httpTexts } from "../../texts/monitors/http.ts";
import { Problem } from "../../ui/parts.tsx";
import { Time } from "../../ui/text/time.tsx";
import { httpChecksQuery } from "../queries.ts";

/** How the results look in the strip: as checks with the same meaning. */
const STANDINGS = { ok: "unchanged", failing: "failed", unknown: "pending" } as const;

/** Shows the HTTP check of a monitor: its last result by region, and its history. Nothing without one. */
export function HttpCheck({ monitor }: { monitor: MonitorView }) {
  const { id, http, httpCheck } = monitor;
  const history = useQuery({ ...httpChecksQuery(id, httpCheck?.at ?? null), enabled: http !== null });
  if (http === null) return null;
  return (
    <section aria-labelledby="http-check" className="section">
      <h2 id="http-check">{httpTexts.title}</h2>
      <p className="about">{httpTexts.about(http)}</p>
      {httpCheck === null && <p className="empty">{httpTexts.none}</p>}
      {history.error && !history.data && (
        <Problem error={history.error} what={httpTexts.thing} again={history.refetch} />
      )}
      {history.data && history.data.data.length > 0 && <Strip results={history.data.data} />}
      {httpCheck && (
        <>
          <p>
            <strong>{httpTexts.outcomes[httpCheck.outcome]}</strong>{" "}
            <span className="quiet">
              {httpTexts.since} <Time iso={httpCheck.since} />
            </span>
          </p>
          <ul className="rows" aria-label={httpTexts.byRegion}>
            {httpCheck.regions.map(region => (
              <Region key={region.region ?? ""} region={region} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Strip({ results }: { results: HttpResult[] }) {
  return (
    <ol className="check-strip http-strip" aria-label={httpTexts.latest}>
      {results.toReversed().map(result => {
        const words = httpTexts.result(moment(new Date(result.at)), result);
        return (
          <li key={result.at}>
            <span
              role="img"
              data-standing={STANDINGS[result.outcome]}
              data-outcome={result.outcome === "failing" ? "down" : "ok"}
              title={words}
              aria-label={words}
            />
          </li>
        );
      })}
    </ol>
  );
}

function Region({ region: { region, outcome, pages } }: { region: RegionResult }) {
  const problems = pages.filter(({ problem }) => problem !== null);
  const [first] = problems;
  return (
    <li>
      <span className="row-what">
        <strong>{region ?? httpTexts.anyRegion}</strong> {httpTexts.regionOutcomes[outcome]}
      </span>
      <span className={outcome === "ok" ? "quiet" : "is-alerted"}>
        {outcome === "no_node" && httpTexts.noNode(region ?? "")}
        {first?.problem && httpTexts.problem(first.route, first.problem, problems.length - 1)}
        {outcome === "ok" && httpTexts.slowest(Math.max(0, ...pages.map(({ ms }) => ms ?? 0)))}
      </span>
    </li>
  );
}
