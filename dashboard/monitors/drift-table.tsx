import { useState } from "react";
import type { DriftLine, DriftView } from "../../shared/contracts/monitor-series.ts";
import { percent } from "../../shared/report/words.ts";
import { Link } from "../location.tsx";
import { stretchInWords } from "./stretch-words.ts";

const AT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** The same as the chart, to be read: drawn only when somebody asks for it. */
export function DriftTable({ drift, page }: { drift: DriftView; page: DriftLine }) {
  const [isOpen, setOpen] = useState(false);
  const rows = drift.stretches.map((stretch, index) => ({ stretch, ratio: page.ratios[index] ?? null }));
  return (
    <details className="chart-table" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        <section className="table-frame" tabIndex={0} aria-label="The chart as a table">
          <table>
            <caption className="hidden">
              Drift of {page.route} at {page.viewport} px, newest first
            </caption>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Difference</th>
                <th scope="col">Checks</th>
              </tr>
            </thead>
            <tbody>
              {rows.reverse().map(({ stretch, ratio }) => (
                <tr key={stretch.at}>
                  <td>
                    <Link to={{ page: "run", id: stretch.runId }}>{AT.format(new Date(stretch.at))}</Link>
                  </td>
                  <td>{ratio === null ? "not compared" : percent(ratio)}</td>
                  <td>{stretchInWords(stretch)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
