import { useState } from "react";
import type { DriftLine, DriftView } from "../../../shared/contracts/monitors/monitor-series.ts";
import { Link } from "../../navigation.tsx";
import { shortMoment } from "../../texts/format.ts";
import { chartTexts, stretchText } from "../../texts/monitors/monitors.ts";
import { differenceAt } from "./difference-at.ts";

/** Shows the data of the chart as a table, rendered when it is opened. */
export function DriftTable({ drift, page }: { drift: DriftView; page: DriftLine }) {
  const [isOpen, setOpen] = useState(false);
  const { columns } = chartTexts;
  const rows = drift.stretches.map((stretch, index) => ({ stretch, difference: differenceAt(page, index) }));
  return (
    <details className="chart-table" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{chartTexts.showTable}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        <section className="table-frame" tabIndex={0} aria-label={chartTexts.tableLabel}>
          <table>
            <caption className="hidden">{chartTexts.caption(page)}</caption>
            <thead>
              <tr>
                <th scope="col">{columns.time}</th>
                <th scope="col">{columns.difference}</th>
                <th scope="col">{columns.checks}</th>
              </tr>
            </thead>
            <tbody>
              {rows.reverse().map(({ stretch, difference }) => (
                <tr key={stretch.at}>
                  <td>
                    <Link to={{ page: "run", id: stretch.runId }}>{shortMoment(new Date(stretch.at))}</Link>
                  </td>
                  <td>{difference}</td>
                  <td>{stretchText(stretch)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
