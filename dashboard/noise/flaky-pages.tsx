import type { NoiseView } from "../../shared/contracts/noise.ts";
import { figure, percent } from "../../shared/report/words.ts";
import { Link } from "../location.tsx";
import { Time } from "../ui/time.tsx";
import { ScoreChart } from "./score-chart.tsx";

/** The pages with the highest flake scores, each with its last 30 days. */
export function FlakyPages({ project, pages }: Pick<NoiseView, "project" | "pages">) {
  return (
    <section aria-labelledby="flaky" className="section">
      <h2 id="flaky">Flakiest pages</h2>
      <p className="about">The flake score is the share of a page's recent captures that were noise.</p>
      {pages.length === 0 ? (
        <p className="empty">No page was noise in the last 30 days.</p>
      ) : (
        <ul className="rows" aria-label="Flakiest pages">
          {pages.map(({ route, viewport, score, captures, noisy, lastAt, history }) => (
            <li key={`${viewport} ${route}`} className="flaky-page">
              <span className="row-what">
                <Link to={{ page: "history", project, route, viewport }}>{route}</Link>
                <span className="quiet">
                  {viewport} px · {figure(noisy)} of {figure(captures)} captures · last <Time iso={lastAt} />
                </span>
              </span>
              <ScoreChart history={history} />
              <strong className="score">{percent(score)}</strong>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
