import { useQuery } from "@tanstack/react-query";
import { isEnded } from "../../shared/is-ended.ts";
import { runQuery, shotsQuery } from "../api/queries.ts";
import { useProgress } from "../api/use-progress.ts";
import { Link } from "../location.tsx";
import { useProjectName } from "../monitors/project-name.tsx";
import type { Place } from "../place.ts";
import { loadedThings } from "../texts/common.ts";
import { reviewTexts } from "../texts/review.ts";
import { runTexts } from "../texts/run.ts";
import { Problem, useTitle, Waiting } from "../ui/parts.tsx";
import "./review.css";
import { ReviewScreen } from "./review-screen.tsx";

/** Loads a run and shows its review. */
export function ReviewPage({ place }: { place: Extract<Place, { page: "review" }> }) {
  const run = useQuery(runQuery(place.id));
  const over = run.data !== undefined && isEnded(run.data.status);
  const shots = useQuery({ ...shotsQuery(place.id, over), enabled: run.data !== undefined });
  useProgress(place.id);
  const name = useProjectName(run.data?.project ?? "");
  useTitle(run.data ? reviewTexts.titleOf(name) : reviewTexts.title);
  if (run.data && shots.data) return <ReviewScreen run={run.data} shots={shots.data} place={place} />;
  const error = run.error ?? shots.error;
  return (
    <main className="page">
      {error ? (
        <>
          <Problem error={error} what={loadedThings.run} again={run.error ? run.refetch : shots.refetch} />
          <p>
            <Link to={{ page: "runs", filters: {} }}>{runTexts.seeRuns}</Link>
          </p>
        </>
      ) : (
        <Waiting what={loadedThings.run} />
      )}
    </main>
  );
}
