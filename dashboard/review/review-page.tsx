import { useQuery } from "@tanstack/react-query";
import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import { runQuery, screenshotsQuery } from "../api/queries.ts";
import { useProgress } from "../api/use-progress.ts";
import type { AppLocation } from "../app-location.ts";
import { useProjectName } from "../monitors/project-name.tsx";
import { Link } from "../navigation.tsx";
import { loadedThings } from "../texts/common.ts";
import { reviewTexts } from "../texts/review.ts";
import { runTexts } from "../texts/runs/run.ts";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import "./review.css";
import { ReviewScreen } from "./review-screen.tsx";

/** Loads a run and shows its review. */
export function ReviewPage({ location }: { location: Extract<AppLocation, { page: "review" }> }) {
  const run = useQuery(runQuery(location.id));
  const over = run.data !== undefined && isEnded(run.data.status);
  const shots = useQuery({ ...screenshotsQuery(location.id, over), enabled: run.data !== undefined });
  useProgress(location.id);
  const name = useProjectName(run.data?.project ?? "");
  useTitle(run.data ? reviewTexts.titleOf(name) : reviewTexts.title);
  if (run.data && shots.data) return <ReviewScreen run={run.data} shots={shots.data} location={location} />;
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
        <Loading what={loadedThings.run} />
      )}
    </main>
  );
}
