import { useQuery } from "@tanstack/react-query";
import type { MonitorView } from "../../shared/contracts/monitors.ts";
import { cropAround } from "../../shared/report/crop.ts";
import { difference } from "../../shared/report/words.ts";
import { api } from "../api/client.ts";
import { sessionQuery } from "../api/queries.ts";
import { ApiProblem } from "../api/request.ts";
import { type Shot, shotOf } from "../api/shot.ts";
import { Link } from "../location.tsx";
import { PartOfPage } from "../ui/page-thumbnail.tsx";
import { Problem } from "../ui/parts.tsx";
import { Status, statusOf } from "../ui/status.tsx";
import type { WatchedPage } from "./watched-page.ts";

/** As wide as a side is at most, CSS px. */
const SHOWN_PX = 560;

/** The page in front at its last check, beside its baseline; the same part of both, around the first change. */
export function LastLook({ monitor, chosen }: { monitor: MonitorView; chosen: WatchedPage | null }) {
  const runId = monitor.lastCheck?.runId ?? null;
  const { data, error, refetch } = useQuery({
    queryKey: ["look", runId],
    enabled: runId !== null,
    queryFn: async ({ client }) => {
      const { data: shots } = await api.screenshots(runId ?? "");
      const reader = client.getQueryData(sessionQuery.queryKey)?.countsAs ?? null;
      return shots.map(shot => shotOf(shot, reader));
    },
  });
  if (runId === null) return null;
  const isGone = error instanceof ApiProblem && error.status === 404;
  const shot =
    data &&
    (find(data, chosen) ??
      data.find(one => one.status !== "unchanged") ??
      data.find(one => one.minor) ??
      data[0]);
  return (
    <section aria-labelledby="look" className="section">
      <h2 id="look">Last look</h2>
      {isGone && <p className="empty">The run of the last check is kept no longer.</p>}
      {error && !isGone && !data && <Problem error={error} what="The screenshots" again={refetch} />}
      {chosen && data && !find(data, chosen) && (
        <p className="about">
          {chosen.route} at {chosen.viewport} px was fine: the last look was at what was not.
        </p>
      )}
      {shot && <Pair runId={runId} shot={shot} />}
      {!data && !error && <div className="pair-frame" />}
    </section>
  );
}

function find(shots: readonly Shot[], page: WatchedPage | null): Shot | undefined {
  return shots.find(({ route, viewport }) => route === page?.route && viewport === page.viewport);
}

function Pair({ runId, shot }: { runId: string; shot: Shot }) {
  const { baseline, width, height, images } = shot;
  const now =
    width !== null && height !== null && images.current ? { width, height, image: images.current } : null;
  const before = baseline && images.baseline ? { ...baseline, image: images.baseline } : null;
  const sized = now ?? before;
  const crop = sized && cropAround(shot.regions[0], sized);
  return (
    <>
      <p className="about look-line">
        <Status {...statusOf(shot)} /> {shot.route} at {shot.viewport} px · {difference(shot)} ·{" "}
        <Link to={{ page: "review", id: runId, shot: shot.id }}>Look closely</Link>
      </p>
      {shot.error && <p className="about">{shot.error}</p>}
      {crop && (
        <div className="pair">
          <Side name="Baseline" side={before} crop={crop} none="There was none yet." shot={shot} />
          <Side name="Last look" side={now} crop={crop} none="It could not be photographed." shot={shot} />
        </div>
      )}
    </>
  );
}

interface SideProps {
  name: string;
  side: { width: number; height: number; image: string } | null;
  crop: { x: number; y: number; width: number; height: number };
  none: string;
  shot: Shot;
}

function Side({ name, side, crop, none, shot }: SideProps) {
  return (
    <figure>
      <figcaption className="quiet">{name}</figcaption>
      <svg
        viewBox={`${crop.x} ${crop.y} ${crop.width} ${crop.height}`}
        preserveAspectRatio="xMidYMin slice"
        role="img"
        aria-label={side ? `${name} of ${shot.route} at ${shot.viewport} px` : none}
      >
        {side && <PartOfPage {...side} crop={crop} shownPx={SHOWN_PX} />}
        {side &&
          shot.regions.map(region => (
            <rect key={`${region.x} ${region.y}`} className="outline" {...region} />
          ))}
      </svg>
      {!side && <p className="quiet none">{none}</p>}
    </figure>
  );
}
