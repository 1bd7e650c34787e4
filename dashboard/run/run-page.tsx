import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { isEnded } from "../../shared/is-ended.ts";
import { sizeOf, tallyOf } from "../../shared/report/tally.ts";
import { firstShotsQuery, newestQuery, runQuery, shotsQuery } from "../api/queries.ts";
import type { Shot } from "../api/shot.ts";
import { useProgress } from "../api/use-progress.ts";
import { goTo, Link } from "../location.tsx";
import { useProjectName } from "../monitors/project-name.tsx";
import { isOpen, isReviewable, isUndecided, rejection } from "../review/decisions/decision.ts";
import { UnsavedDecisions } from "../review/decisions/unsaved.tsx";
import { useDecisions } from "../review/decisions/use-decisions.ts";
import { firstMinor } from "../review/queue.ts";
import { useKeys } from "../review/use-keys.ts";
import { useMe } from "../session.tsx";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { outcomeText } from "../texts/review.ts";
import { runTexts } from "../texts/run.ts";
import { fill } from "../ui/fill.ts";
import { useFollowedText } from "../ui/hooks/use-field-text.ts";
import { Problem, useTitle, Waiting } from "../ui/parts.tsx";
import { useSay } from "../ui/say.tsx";
import { widthsOf } from "../ui/widths-of.ts";
import type { OwnDecisions } from "./own-decisions.ts";
import { RunActions } from "./run-actions.tsx";
import { RunHeader } from "./run-header.tsx";
import { keepRunPlace, type RunPlace } from "./run-view-state.ts";
import { ShotFilter, type ShotFilters, shotsMatching } from "./shot-filter.tsx";
import { ShotGrid } from "./shot-grid.tsx";
import { shotsSoFar, tallySoFar } from "./shown-so-far.ts";

/** Shows one run: its result, and its screenshots in groups. */
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
  const whole = useMemo(() => (known ? tallyOf(known) : (first.data?.tally ?? null)), [known, first.data]);
  const widths = useMemo(
    () => (known ? widthsOf(known) : (first.data?.viewports ?? [])),
    [known, first.data],
  );
  const minor = useMemo(() => firstMinor(known ?? NONE), [known]);
  useKeys({
    minor() {
      if (minor) goTo({ page: "review", id, shot: minor.id });
      else if (known) say({ text: runTexts.noMinor });
    },
  });
  const name = useProjectName(run?.project ?? "");
  useTitle(run ? name : runTexts.title);
  if (!run)
    return error ? (
      <Problem
        error={error}
        what={loadedThings.run}
        again={refetch}
        wayOut={<Link to={{ page: "runs", filters: {} }}>{runTexts.seeRuns}</Link>}
      />
    ) : (
      <Waiting what={loadedThings.run} />
    );

  const shots = shotsSoFar(shotsRead.data ?? first.data?.shots ?? NONE, run.status);
  const tally = whole && tallySoFar(whole, run.status);
  const isWhole = shotsRead.data !== undefined;
  const shown = shotsMatching(shots, filters);
  const mayDecide = may("reviewer") && isReviewable(run);
  const approve = (some: readonly Shot[]) => {
    const ids = some.filter(isUndecided).map(shot => shot.id);
    const after = decide({ ids, verdict: "approved", reason: null });
    say({ text: outcomeText(after, "approved"), act: { label: commonTexts.undo, run: undo } });
  };
  const reject = (reason: string | null, isNoise: boolean) => {
    const ids = shots.filter(isOpen).map(shot => shot.id);
    decide({ ids, verdict: "rejected", ...rejection(reason, isNoise) });
    say({ text: runTexts.rejected, act: { label: commonTexts.undo, run: undo } });
  };
  const undoOwn = ({ ids }: OwnDecisions) => {
    decide({ ids, verdict: null, reason: null });
    say({ text: runTexts.undone(ids.length), act: { label: commonTexts.undo, run: undo } });
  };
  return (
    <>
      <UnsavedDecisions decisions={decisions} />
      {newest && newest.id !== id && newest.createdAt > run.createdAt && (
        <p className="banner">
          <NewerRun branch={run.branch} id={newest.id} />
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
          onUndo={undoOwn}
        />
      </RunHeader>
      {shotsRead.error && !shotsRead.data && (
        <Problem error={shotsRead.error} what={loadedThings.screenshots} again={shotsRead.refetch} />
      )}
      {tally === null && !shotsRead.error && <Waiting what={loadedThings.screenshots} />}
      {tally !== null && shots.length > 0 && (
        <ShotFilter
          standings={tally.standings}
          widths={widths}
          filters={filters}
          onFind={setText}
          onNarrow={to => narrow({ text: place.find ?? "", ...to })}
        />
      )}
      {isWhole && shots.length > 0 && shown.length === 0 && <p className="empty">{runTexts.noMatch}</p>}
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
          {runTexts.loadingMore(sizeOf(tally) - shots.length)}
        </p>
      )}
    </>
  );
}

function NewerRun({ branch, id }: { branch: string | null; id: string }) {
  const link = <Link to={{ page: "run", id }}>{runTexts.openNewer}</Link>;
  return branch === null ? fill(runTexts.newerRun, { link }) : fill(runTexts.newerRunOf, { branch, link });
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

/** The first cards and their images load before the rest, which may be thousands. */
const DRAWN_MS = 200;

/** Returns the first screenshots until all are loaded; nothing if they are cached. */
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

/** Used until the run is loaded. No request is sent for it. */
const NO_RUN = { project: "", branch: null };
