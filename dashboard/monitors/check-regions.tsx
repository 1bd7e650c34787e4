import type { RegionSummary } from "../../shared/contracts/monitors/checks.ts";
import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import { httpTexts } from "../texts/monitors/http.ts";
import { regionTexts } from "../texts/monitors/regions.ts";

/** Shows what each region saw in the last check. Nothing without regions. */
export function CheckRegions({ monitor: { regions, agree, lastCheck } }: { monitor: MonitorView }) {
  if (regions.length === 0) return null;
  const seen = lastCheck?.regions ?? [];
  return (
    <section aria-labelledby="regions" className="section">
      <h2 id="regions">{regionTexts.title}</h2>
      <p className="about">{regionTexts.about(regions, agree)}</p>
      {seen.length === 0 ? (
        <p className="empty">{regionTexts.none}</p>
      ) : (
        <ul className="rows" aria-label={regionTexts.byRegion}>
          {seen.map(region => (
            <Region key={region.region} region={region} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Region({ region }: { region: RegionSummary }) {
  const { outcome } = region;
  return (
    <li>
      <span className="row-what">
        <strong>{region.region}</strong> {regionTexts.outcomes[outcome]}
      </span>
      <span className={outcome === "ok" ? "quiet" : "is-alerted"}>
        {outcome === "no_node" ? httpTexts.noNode(region.region) : regionTexts.found(region)}
      </span>
    </li>
  );
}
