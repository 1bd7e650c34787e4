import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isOver, newestQuery, runQuery, shotsQuery } from "../api/queries.ts";
import { modelOf, type Shot } from "../api/shot.ts";
import { useProgress } from "../api/use-progress.ts";
import { Link } from "../location.tsx";
import { isOpen, outcomeInWords } from "../review/decision.ts";
import { UnsavedDecisions } from "../review/unsaved.tsx";
import { useDecisions } from "../review/use-decisions.ts";
import { useMe } from "../session.tsx";
import { Problem, useTitle, Waiting } from "../ui/parts.tsx";
import { useSay } from "../ui/say.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunHeader } from "./run-header.tsx";
import { ShotFilter, type ShotFilters, shotsMatching } from "./shot-filter.tsx";
import { ShotGrid } from "./shot-grid.tsx";

/** One run: what came out, and its screenshots by what they need. */
export function RunPage({ id }: { id: string }) {
  const { data: run, error, refetch } = useQuery(runQuery(id));
  const over = run !== undefined && isOver(run.status);
  const shotsRead = useQuery({ ...shotsQuery(id, over), enabled: run !== undefined });
  const { data: newest } = useQuery({ ...newestQuery(run ?? NO_RUN), enabled: over });
  const { may } = useMe();
  const say = useSay();
  const decisions = useDecisions(id);
  const { decide, undo } = decisions;
  const [filters, setFilters] = useState<ShotFilters>({ text: "", standing: null, viewport: null });
  useProgress(run);
  useTitle(run ? run.project : "Run");
  if (!run)
    return error ? <Problem error={error} what="This run" again={refetch} /> : <Waiting what="the run" />;

  const shots = shotsRead.data ?? [];
  const mayDecide = may("reviewer") && run.status === "completed";
  const approve = (some: readonly Shot[]) => {
    const ids = some.filter(isOpen).map(shot => shot.id);
    const after = decide({ ids, verdict: "approved", reason: null });
    say({ text: outcomeInWords(after, "approved"), act: { label: "Undo", run: undo } });
  };
  const reject = (reason: string) => {
    decide({ ids: shots.filter(isOpen).map(shot => shot.id), verdict: "rejected", reason });
    say({ text: "The run is rejected.", act: { label: "Undo", run: undo } });
  };
  return (
    <>
      <UnsavedDecisions decisions={decisions} />
      {newest && newest.id !== id && newest.createdAt > run.createdAt && (
        <p className="banner">
          There is a newer run{run.branch ? ` of ${run.branch}` : ""}: what is approved here may be the past.{" "}
          <Link to={{ page: "run", id: newest.id }}>Open it</Link>
        </p>
      )}
      <RunHeader run={run} model={modelOf(run, shots)} shots={shots} isRead={shotsRead.data !== undefined}>
        <RunActions
          run={run}
          shots={shots}
          mayDecide={mayDecide}
          onApprove={() => approve(shots)}
          onReject={reject}
        />
      </RunHeader>
      {shotsRead.error && !shotsRead.data && (
        <Problem error={shotsRead.error} what="The screenshots" again={shotsRead.refetch} />
      )}
      {!shotsRead.data && !shotsRead.error && <Waiting what="the screenshots" />}
      {shots.length > 0 && <ShotFilter shots={shots} filters={filters} onChange={setFilters} />}
      <ShotGrid runId={id} shots={shotsMatching(shots, filters)} onApprove={mayDecide ? approve : null} />
    </>
  );
}

/** Until the run is known; nothing is asked of it. */
const NO_RUN = { project: "", branch: null };
