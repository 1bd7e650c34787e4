import { useQuery } from "@tanstack/react-query";
import { keyOf, type ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import { cropAround } from "../../shared/report/crop.ts";
import { describeDifference } from "../../shared/report/describe-screenshot.ts";
import { api } from "../api/client.ts";
import { sessionQuery } from "../api/queries.ts";
import { ApiProblem } from "../api/request.ts";
import { type Screenshot, toScreenshot } from "../api/screenshot.ts";
import { Link } from "../navigation.tsx";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { latestScreenshotTexts } from "../texts/monitors/monitors.ts";
import { Problem } from "../ui/parts.tsx";
import { PartOfPage } from "../ui/screenshots/page-thumbnail.tsx";
import { Status, statusOf } from "../ui/status.tsx";

/** Maximum width of a side, CSS px. */
const SHOWN_PX = 560;

/**
 * Shows the selected page at its last check beside its baseline: the same part of both, around the first
 * change.
 */
export function LatestScreenshot({
  monitor,
  chosen,
}: {
  monitor: MonitorView;
  chosen: ScreenshotKey | null;
}) {
  const runId = monitor.lastCheck?.runId ?? null;
  const { data, error, refetch } = useQuery({
    queryKey: ["latest-screenshots", runId],
    enabled: runId !== null,
    queryFn: async ({ client }) => {
      const { data: shots } = await api.screenshots(runId ?? "");
      const reader = client.getQueryData(sessionQuery.queryKey)?.countsAs ?? null;
      return shots.map(shot => toScreenshot(shot, reader));
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
    <section aria-labelledby="latest" className="section">
      <h2 id="latest">{latestScreenshotTexts.title}</h2>
      {isGone && <p className="empty">{latestScreenshotTexts.runDeleted}</p>}
      {error && !isGone && !data && <Problem error={error} what={loadedThings.screenshots} again={refetch} />}
      {chosen && data && !find(data, chosen) && (
        <p className="about">{latestScreenshotTexts.notRetried(commonTexts.pageAt(chosen))}</p>
      )}
      {shot && <Pair runId={runId} shot={shot} />}
      {!data && !error && <div className="pair-frame" />}
    </section>
  );
}

function find(shots: readonly Screenshot[], page: ScreenshotKey | null): Screenshot | undefined {
  return shots.find(shot => page !== null && keyOf(shot) === keyOf(page));
}

const pageOf = (shot: Screenshot) => commonTexts.pageAt(shot);

function Pair({ runId, shot }: { runId: string; shot: Screenshot }) {
  const { baseline, width, height, images } = shot;
  const now =
    width !== null && height !== null && images.current ? { width, height, image: images.current } : null;
  const before = baseline && images.baseline ? { ...baseline, image: images.baseline } : null;
  const sized = now ?? before;
  const crop = sized && cropAround(shot.regions[0], sized);
  return (
    <>
      <p className="about latest-line">
        <Status {...statusOf(shot)} /> {pageOf(shot)} · {describeDifference(shot)} ·{" "}
        <Link to={{ page: "review", id: runId, shot: shot.id }}>{latestScreenshotTexts.compare}</Link>
      </p>
      {shot.error && <p className="about">{shot.error}</p>}
      {crop && (
        <div className="pair">
          <Side
            name={latestScreenshotTexts.baseline}
            none={
              // The first screenshot of a page becomes its baseline.
              shot.review?.state === "approved"
                ? latestScreenshotTexts.firstBaseline
                : latestScreenshotTexts.noBaseline
            }
            {...{ side: before, crop, shot }}
          />
          <Side
            name={latestScreenshotTexts.latest}
            none={latestScreenshotTexts.notCaptured}
            {...{ side: now, crop, shot }}
          />
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
  shot: Screenshot;
}

function Side({ name, side, crop, none, shot }: SideProps) {
  return (
    <figure>
      <figcaption className="quiet">{name}</figcaption>
      <svg
        viewBox={`${crop.x} ${crop.y} ${crop.width} ${crop.height}`}
        preserveAspectRatio="xMidYMin slice"
        role="img"
        aria-label={side ? latestScreenshotTexts.sideOf(name, pageOf(shot)) : none}
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
