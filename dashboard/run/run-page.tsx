import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { isEnded } from "../../shared/is-ended.ts";
import { sizeOf, tallyOf } from "../../shared/report/tally.ts";
import { count } from "../../shared/report/words.ts";
import { firstShotsQuery, newestQuery, runQuery, shotsQuery } from "../api/queries.ts";
import type { Shot } from "../api/shot.ts";
import { useProgress } from "../api/use-progress.ts";
import { goTo, Link } from "../location.tsx";
import { useProjectName } from "../monitors/project-name.tsx";
import { isOpen, isReviewable, isUndecided, outcomeInWords, rejection } from "../review/decision.ts";
import { firstMinor } from "../review/queue.ts";
import { UnsavedDecisions } from "../review/unsaved.tsx";
import { useDecisions } from "../review/use-decisions.ts";
import { useKeys } from "../review/use-keys.ts";
import { useMe } from "../session.tsx";
import { Problem, useTitle, Waiting } from "../ui/parts.tsx";
import { useSay } from "../ui/say.tsx";
import { useFollowedText } from "../ui/use-field-text.ts";
import { widthsOf } from "../ui/widths-of.ts";
import type { OwnDecisions } from "./own-decisions.ts";
import { RunActions } from "./run-actions.tsx";
import { RunHeader } from "./run-header.tsx";
import { keepRunPlace, type RunPlace } from "./run-looks.ts";
import { ShotFilter, type ShotFilters, shotsMatching } from "./shot-filter.tsx";
import { ShotGrid } from "./shot-grid.tsx";

/** One run: what came out, and its screenshots by what they need. */
export function RunPage({ place }: { place: RunPlace }) {
  const { id, standing = null, viewport = null } = place;
  const { data: run, error, refetch } = useQuery(runQuery(id));
  const over = run !== undefined && isEnded(run.status);
  const first = useFirstShots(id);
  const shotsRead = useQuery({ ...shotsQuery(id, over), enabled: run !== undefined && first.isDrawn });
  const { data: newest } = useQuery({ ...newestQuery(run ?? NO_RUN), enabled: over });
  const { may } = useMe();
  const say = useSay();
  const decisions = useDecisions(id);
  const { decide, undo } = decisions;
  const narrow = (to: ShotFilters) => goTo(placeOf(id, to), "replace");
  const [text, setText] = useFollowedText(place.find ?? "", wanted =>
    narrow({ text: wanted, standing, viewport }),
  );
  const filters = { text, standing, viewport };
  useEffect(() => keepRunPlace(placeOf(id, { text, standing, viewport })), [id, text, standing, viewport]);
  useProgress(id);
  const known = shotsRead.data;
  const tally = useMemo(() => (known ? tallyOf(known) : (first.data?.tally ?? null)), [known, first.data]);
  const widths = useMemo(
    () => (known ? widthsOf(known) : (first.data?.viewports ?? [])),
    [known, first.data],
  );
  const minor = useMemo(() => firstMinor(known ?? NONE), [known]);
  useKeys({
    minor() {
      if (minor) goTo({ page: "review", id, shot: minor.id });
      else if (known) say({ text: "This run has no minor changes." });
    },
  });
  const name = useProjectName(run?.project ?? "");
  useTitle(run ? name : "Run");
  if (!run)
    return error ? (
      <Problem
        error={error}
        what="This run"
        again={refetch}
        wayOut={<Link to={{ page: "runs", filters: {} }}>See the runs</Link>}
      />
    ) : (
      <Waiting what="the run" />
    );

  const shots = shotsRead.data ?? first.data?.shots ?? NONE;
  const isWhole = shotsRead.data !== undefined;
  const shown = shotsMatching(shots, filters);
  const mayDecide = may("reviewer") && isReviewable(run);
  const approve = (some: readonly Shot[]) => {
    const ids = some.filter(isUndecided).map(shot => shot.id);
    const after = decide({ ids, verdict: "approved", reason: null });
    say({ text: outcomeInWords(after, "approved"), act: { label: "Undo", run: undo } });
  };
  const reject = (reason: string | null, isNoise: boolean) => {
    const ids = shots.filter(isOpen).map(shot => shot.id);
    decide({ ids, verdict: "rejected", ...rejection(reason, isNoise) });
    say({ text: "The run is rejected.", act: { label: "Undo", run: undo } });
  };
  const takeBack = ({ ids }: OwnDecisions) => {
    decide({ ids, verdict: null, reason: null });
    say({ text: `Taken back on ${count(ids.length, "screenshot")}.`, act: { label: "Undo", run: undo } });
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
      <RunHeader run={run} tally={tally}>
        <RunActions
          run={run}
          shots={shots}
          isWhole={isWhole}
          mayDecide={mayDecide}
          onApprove={() => approve(shots.filter(isOpen))}
          onReject={reject}
          onTakeBack={takeBack}
        />
      </RunHeader>
      {shotsRead.error && !shotsRead.data && (
        <Problem error={shotsRead.error} what="The screenshots" again={shotsRead.refetch} />
      )}
      {tally === null && !shotsRead.error && <Waiting what="the screenshots" />}
      {tally !== null && shots.length > 0 && (
        <ShotFilter
          standings={tally.standings}
          widths={widths}
          filters={filters}
          onFind={setText}
          onNarrow={to => narrow({ text: place.find ?? "", ...to })}
        />
      )}
      {isWhole && shots.length > 0 && shown.length === 0 && (
        <p className="empty">No screenshot matches. Take a filter away to see more.</p>
      )}
      <ShotGrid
        kind={run.kind}
        runId={id}
        shots={shown}
        isWhole={isWhole}
        isNarrowed={standing !== null}
        onApprove={mayDecide ? approve : null}
      />
      {!isWhole && !shotsRead.error && tally !== null && (
        <p className="more quiet" role="status">
          Reading {count(sizeOf(tally) - shots.length, "more screenshot")} …
        </p>
      )}
    </>
  );
}

const NONE: readonly Shot[] = [];

function placeOf(id: string, { text, standing, viewport }: ShotFilters): RunPlace {
  const find = text.trim();
  return {
    page: "run",
    id,
    ...(find && { find }),
    ...(standing && { standing }),
    ...(viewport && { viewport }),
  };
}

/** The first cards and their images come before the rest, of which there may be thousands. */
const DRAWN_MS = 200;

/** What the page is drawn with until all screenshots are read; nothing where they are known already. */
function useFirstShots(id: string) {
  const client = useQueryClient();
  const [isNeeded] = useState(() => client.getQueryData(shotsQuery(id, true).queryKey) === undefined);
  const first = useQuery({ ...firstShotsQuery(id), enabled: isNeeded });
  const [isDrawn, setDrawn] = useState(!isNeeded);
  useEffect(() => {
    if (isDrawn || first.isPending) return;
    const timer = setTimeout(() => setDrawn(true), DRAWN_MS);
    return () => clearTimeout(timer);
  }, [isDrawn, first.isPending]);
  return { data: first.data, isDrawn };
}

/** Until the run is known; nothing is asked of it. */
const NO_RUN = { project: "", branch: null };
