import { useInfiniteQuery } from "@tanstack/react-query";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import type { IgnoreRegionView } from "../../shared/contracts/runs/noise.ts";
import { api } from "../api/client.ts";
import { Link } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { noiseTexts, regionText } from "../texts/noise.ts";
import { fill } from "../ui/fill.ts";
import { More } from "../ui/more.tsx";
import { Loading, Problem } from "../ui/parts.tsx";
import { Time } from "../ui/text/time.tsx";
import { ignoreRegionsQuery, useNoiseChange } from "./queries.ts";

/** Lists the regions that comparisons of the project's pages ignore. */
export function IgnoreRegions({ project }: { project: string }) {
  const list = useInfiniteQuery(ignoreRegionsQuery(project));
  const { data, error, refetch } = list;
  const regions = data?.pages.flatMap(page => page.data);
  return (
    <section aria-labelledby="ignored" className="section">
      <h2 id="ignored">{noiseTexts.regions}</h2>
      <p className="about">{noiseTexts.regionsAbout}</p>
      {error && !regions && <Problem error={error} what={loadedThings.ignoreRegions} again={refetch} />}
      {!regions && !error && <Loading what={loadedThings.ignoreRegions} />}
      {regions?.length === 0 && <p className="empty">{noiseTexts.noRegions}</p>}
      {regions && regions.length > 0 && (
        <ul className="rows" aria-label={noiseTexts.regions}>
          {regions.map(region => (
            <Row key={region.id} project={project} region={region} />
          ))}
        </ul>
      )}
      <More list={list}>{noiseTexts.olderRegions}</More>
    </section>
  );
}

function Row({ project, region }: { project: string; region: IgnoreRegionView }) {
  const { may } = useMe();
  const restoring = useNoiseChange(project, api.acceptRegion);
  const { viewport, x, y, width, height, reason } = region;
  const restore = () =>
    restoring.mutate({
      ...{ project, ...pickPage(region), x, y, width, height },
      ...(reason !== null && { reason }),
    });
  const removing = useNoiseChange(project, api.removeRegion, {
    text: noiseTexts.removed,
    action: { label: commonTexts.undo, run: restore },
  });
  return (
    <li>
      <span className="row-what">
        <Link to={{ page: "history", project, ...pickPage(region) }}>{pageName(region)}</Link>
        <span className="quiet">
          {commonTexts.px(viewport)} · {regionText(region)}
          {reason !== null && ` · ${reason}`}
        </span>
      </span>
      <span className="quiet">
        {fill(noiseTexts.acceptedBy, {
          name: region.acceptedBy,
          time: <Time iso={region.acceptedAt} />,
        })}
      </span>
      {may("reviewer") && (
        <button
          type="button"
          aria-label={noiseTexts.removeLabel(region)}
          disabled={removing.isPending}
          onClick={() => removing.mutate(region.id)}
        >
          {noiseTexts.remove}
        </button>
      )}
    </li>
  );
}
