import { useQuery } from "@tanstack/react-query";
import type { UsageHistory as History } from "../../../shared/contracts/billing/usage.ts";
import { api } from "../../api/client.ts";
import { loadedThings } from "../../texts/common.ts";
import { number } from "../../texts/format.ts";
import { forecastSentences, usageTexts } from "../../texts/settings/usage.ts";
import { Loading, Problem } from "../../ui/parts.tsx";

/** Shows the usage of the last twelve months, and what to expect of this one. */
export function UsageHistory() {
  const { data, error, refetch } = useQuery({ queryKey: ["usage", "history"], queryFn: api.usageHistory });
  return (
    <section aria-labelledby="usage-history" className="section">
      <h2 id="usage-history">{usageTexts.history}</h2>
      {error && !data && <Problem error={error} what={loadedThings.usage} again={refetch} />}
      {!data && !error && <Loading what={loadedThings.usage} />}
      {data && (
        <>
          <p className="about">{forecastSentences(data.forecast).join(" ")}</p>
          <Months months={usedMonths(data)} />
        </>
      )}
    </section>
  );
}

type Month = History["data"][number];

/** Returns the months up to the first one with usage. */
function usedMonths({ data }: History): Month[] {
  const first = data.findLastIndex(({ runs, screenshots }) => runs > 0 || screenshots > 0);
  return data.slice(0, Math.max(first, 0) + 1);
}

function Months({ months }: { months: Month[] }) {
  const most = Math.max(...months.map(({ screenshots }) => screenshots), 1);
  return (
    <table className="usage-months">
      <thead>
        <tr>
          <th scope="col">{usageTexts.month}</th>
          <th scope="col">{usageTexts.runs}</th>
          <th scope="col">{usageTexts.screenshots}</th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ period, runs, screenshots }) => (
          <tr key={period.start}>
            <th scope="row">{usageTexts.monthOf(period.start)}</th>
            <td>{number(runs)}</td>
            <td>
              {number(screenshots)}
              <svg className="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                <rect data-standing="unchanged" width={(screenshots / most) * 100} height="1" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
