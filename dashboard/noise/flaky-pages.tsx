import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { keyOf, pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import type { NoiseView } from "../../shared/contracts/noise/noise.ts";
import { percent } from "../../shared/text/format.ts";
import { Link } from "../navigation.tsx";
import { commonTexts } from "../texts/common.ts";
import { noiseTexts } from "../texts/noise.ts";
import { fill } from "../ui/fill.ts";
import { Time } from "../ui/text/time.tsx";
import { ScoreChart } from "./score-chart.tsx";

/** Lists the pages with the highest flake scores, each with its last 30 days. */
export function FlakyPages({ project, pages }: Pick<NoiseView, "project" | "pages">) {
  return (
    <section aria-labelledby="flaky" className="section">
      <h2 id="flaky">{noiseTexts.flakiest}</h2>
      <p className="about">{noiseTexts.flakiestAbout}</p>
      {pages.length === 0 ? (
        <p className="empty">{noiseTexts.noneFlaky}</p>
      ) : (
        <ul className="rows" aria-label={noiseTexts.flakiest}>
          {pages.map(({ score, captures, noisy, lastAt, history, ...page }) => (
            <li key={keyOf(page)} className="flaky-page">
              <span className="row-what">
                <Link to={{ page: "history", project, ...pickPage(page) }}>{pageName(page)}</Link>
                <span className="quiet">
                  {fill(noiseTexts.captures, {
                    width: commonTexts.px(page.viewport),
                    captures: noiseTexts.noisyOf(noisy, captures),
                    time: <Time iso={lastAt} />,
                  })}
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
