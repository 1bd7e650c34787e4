import { useInfiniteQuery } from "@tanstack/react-query";
import type { IgnoreRegionView } from "../../shared/contracts/noise.ts";
import { api } from "../api/client.ts";
import { Link } from "../location.tsx";
import { useMe } from "../session.tsx";
import { More } from "../ui/more.tsx";
import { Problem, Waiting } from "../ui/parts.tsx";
import { Time } from "../ui/time.tsx";
import { regionInWords } from "./noise-words.ts";
import { ignoreRegionsQuery, useNoiseChange } from "./queries.ts";

/** What comparisons of the project's pages leave out of the count. */
export function IgnoreRegions({ project }: { project: string }) {
  const list = useInfiniteQuery(ignoreRegionsQuery(project));
  const { data, error, refetch } = list;
  const regions = data?.pages.flatMap(page => page.data);
  return (
    <section aria-labelledby="ignored" className="section">
      <h2 id="ignored">Ignore regions</h2>
      <p className="about">
        Changed pixels inside them do not count. Reviews and reports show each region hatched, with what it
        hid.
      </p>
      {error && !regions && <Problem error={error} what="The ignore regions" again={refetch} />}
      {!regions && !error && <Waiting what="the ignore regions" />}
      {regions?.length === 0 && (
        <p className="empty">No ignore regions. Accepted suggestions are listed here.</p>
      )}
      {regions && regions.length > 0 && (
        <ul className="rows" aria-label="Ignore regions">
          {regions.map(region => (
            <Row key={region.id} project={project} region={region} />
          ))}
        </ul>
      )}
      <More list={list}>Older ignore regions</More>
    </section>
  );
}

function Row({ project, region }: { project: string; region: IgnoreRegionView }) {
  const { may } = useMe();
  const restoring = useNoiseChange(project, api.acceptRegion);
  const { route, viewport, x, y, width, height, reason } = region;
  const restore = () =>
    restoring.mutate({ project, route, viewport, x, y, width, height, ...(reason !== null && { reason }) });
  const removing = useNoiseChange(project, api.removeRegion, {
    text: "Removed. From the next run on, changes in it count again.",
    act: { label: "Undo", run: restore },
  });
  return (
    <li>
      <span className="row-what">
        <Link to={{ page: "history", project, route, viewport }}>{route}</Link>
        <span className="quiet">
          {viewport} px · {regionInWords(region)}
          {reason !== null && ` · ${reason}`}
        </span>
      </span>
      <span className="quiet">
        {region.acceptedBy}, <Time iso={region.acceptedAt} />
      </span>
      {may("reviewer") && (
        <button
          type="button"
          aria-label={`Remove the ignore region of ${route} at ${viewport} px`}
          disabled={removing.isPending}
          onClick={() => removing.mutate(region.id)}
        >
          Remove
        </button>
      )}
    </li>
  );
}
