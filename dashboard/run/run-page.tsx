import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import { sharedNotes } from "../../shared/report/shared-notes.rule.ts";
import { sizeOf, tallyOf } from "../../shared/report/tally.ts";
import { firstScreenshotsQuery, newestQuery, runQuery, screenshotsQuery } from "../api/queries.ts";
import { type Screenshot, uniqueEnvironments, uniqueWidths } from "../api/screenshot.ts";
import { useProgress } from "../api/use-progress.ts";
import { useProjectName } from "../monitors/project-name.tsx";
import { Link, navigate } from "../navigation.tsx";
import { isDecidable, isOpen, isReviewable, rejection } from "../review/decisions/decision.ts";
import { UnsavedDecisions } from "../review/decisions/unsaved.tsx";
import { useDecisions } from "../review/decisions/use-decisions.ts";
import { firstMinor } from "../review/queue/queue.ts";
import { useKeys } from "../review/use-keys.ts";
import { useMe } from "../session.tsx";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { outcomeText } from "../texts/review.ts";
import { runTexts } from "../texts/runs/run.ts";
import { fill } from "../ui/fill.ts";
import { useFollowedText } from "../ui/hooks/use-field-text.ts";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import { useToast } from "../ui/toast.tsx";
import { shownScreenshots, tallySoFar } from "./grid-rows.ts";
import type { OwnDecisions } from "./own-decisions.ts";
import { RunActions } from "./run-actions.tsx";
import { RunHeader } from "./run-header.tsx";
import { type RunLocation, saveRunLocation } from "./run-view-state.ts";
import { ScreenshotFilter } from "./screenshot-filter.tsx";
import { filterQuery, filtersIn, matchingScreenshots, type ScreenshotFilters } from "./screenshot-filters.ts";
import { ScreenshotGrid } from "./screenshot-grid.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { SharedNotes } from "./shared-notes.tsx";
import { pathsOf, storyTree } from "./stories/story-tree.rule.ts";
import { StoryTree } from "./stories/story-tree.tsx";
import { useSelection } from "./use-selection.ts";

/** Shows one run: its result, and its screenshots in groups. */
export function RunPage({ location }: { location: RunLocation }) {
  const { id } = location;
  const { standing, environment, viewport } = filtersIn(location);
  const { data: run, error, refetch } = useQuery(runQuery(id));
  const over = run !== undefined && isEnded(run.status);
  const first = useFirstScreenshots(id);
  const screenshotsRead = useQuery({
    ...screenshotsQuery(id, over),
    enabled: run !== undefined && first.isDrawn,
  });
  const { data: newest } = useQuery({ ...newestQuery(run ?? NO_RUN), enabled: over });
  const { may } = useMe();
  const showToast = useToast();
  const decisions = useDecisions(id);
  const { decide, undo } = decisions;
  const narrow = (to: ScreenshotFilters) => navigate(locationOf(id, to), "replace");
  const [text, setText] = useFollowedText(location.find ?? "", wanted =>
    narrow({ text: wanted, standing, environment, viewport }),
  );
  const filters = { text, standing, environment, viewport };
  useEffect(
    () => saveRunLocation(locationOf(id, { text, standing, environment, viewport })),
    [id, text, standing, environment, viewport],
  );
  useProgress(id);
  const known = screenshotsRead.data;
  const whole = useMemo(() => (known ? tallyOf(known) : (first.data?.tally ?? null)), [known, first.data]);
  const widths = useMemo(
    () => (known ? uniqueWidths(known) : (first.data?.viewports ?? [])),
    [known, first.data],
  );
  const environments = useMemo(
    () => uniqueEnvironments(known ?? first.data?.environments.map(environment => ({ environment })) ?? []),
    [known, first.data],
  );
  const notes = useMemo(() => sharedNotes(known ?? first.data?.shots ?? NONE), [known, first.data]);
  const shownNotes = useMemo(() => new Set(notes.map(({ note }) => note)), [notes]);
  const minor = useMemo(() => firstMinor(known ?? NONE), [known]);
  useKeys({
    minor() {
      if (minor) navigate({ page: "review", id, shot: minor.id });
      else if (known) showToast({ text: runTexts.noMinor });
    },
  });
  const selection = useSelection(known ?? NONE);
  const name = useProjectName(run?.project ?? "");
  useTitle(run ? name : runTexts.title);
  if (!run)
    return error ? (
      <Problem
        error={error}
        what={loadedThings.run}
        again={refetch}
        exitLink={<Link to={{ page: "runs", filters: {} }}>{runTexts.seeRuns}</Link>}
      />
    ) : (
      <Loading what={loadedThings.run} />
    );

  const shots = shownScreenshots(screenshotsRead.data ?? first.data?.shots ?? NONE, run.status);
  const tally = whole && tallySoFar(whole, run.status);
  const isWhole = screenshotsRead.data !== undefined;
  const tree = storyTree(shots);
  // A selected component shows all its stories, whatever their status.
  const component = pathsOf(tree).find(path => path === text) ?? "";
  const shown = matchingScreenshots(shots, filters);
  const mayDecide = may("reviewer") && isReviewable(run);
  const approve = (some: readonly Screenshot[]) => {
    const ids = some.filter(shot => isDecidable(shot, "approved")).map(shot => shot.id);
    const after = decide({ ids, verdict: "approved", reason: null });
    showToast({ text: outcomeText(after, "approved"), action: { label: commonTexts.undo, run: undo } });
  };
  const reject = (some: readonly Screenshot[], reason: string | null, isNoise: boolean) => {
    const ids = some.map(shot => shot.id);
    const after = decide({ ids, verdict: "rejected", ...rejection(reason, isNoise) });
    const text = some === open ? runTexts.rejected : outcomeText(after, "rejected");
    showToast({ text, action: { label: commonTexts.undo, run: undo } });
  };
  const open = shots.filter(isOpen);
  const undoOwn = ({ ids }: OwnDecisions) => {
    decide({ ids, verdict: null, reason: null });
    showToast({ text: runTexts.undone(ids.length), action: { label: commonTexts.undo, run: undo } });
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
          filters={filters}
          onApprove={() => approve(open)}
          onReject={(reason, isNoise) => reject(open, reason, isNoise)}
          onUndo={undoOwn}
        />
      </RunHeader>
      {screenshotsRead.error && !screenshotsRead.data && (
        <Problem
          error={screenshotsRead.error}
          what={loadedThings.screenshots}
          again={screenshotsRead.refetch}
        />
      )}
      <SharedNotes notes={notes} />
      {tally === null && !screenshotsRead.error && <Loading what={loadedThings.screenshots} />}
      {tally !== null && shots.length > 0 && (
        <ScreenshotFilter
          standings={tally.standings}
          widths={widths}
          environments={environments}
          filters={filters}
          onFind={setText}
          onNarrow={to => narrow({ text: location.find ?? "", ...to })}
        />
      )}
      {isWhole && shots.length > 0 && shown.length === 0 && <p className="empty">{runTexts.noMatch}</p>}
      <div className={tree.length > 0 ? "with-tree" : undefined}>
        {tree.length > 0 && <StoryTree nodes={tree} selected={component} onSelect={setText} />}
        <ScreenshotGrid
          kind={run.kind}
          runId={id}
          shots={shown}
          isWhole={isWhole}
          isNarrowed={standing !== null || component !== ""}
          filters={filters}
          shownNotes={shownNotes}
          selection={mayDecide && isWhole ? selection : null}
          onApprove={mayDecide ? approve : null}
        />
      </div>
      {mayDecide && (
        <SelectionBar
          shots={shots.filter(({ id: shotId }) => selection.ids.has(shotId))}
          onApprove={some => {
            selection.clear();
            approve(some);
          }}
          onReject={(some, reason, isNoise) => {
            selection.clear();
            reject(some, reason, isNoise);
          }}
          onClear={selection.clear}
        />
      )}
      {!isWhole && !screenshotsRead.error && tally !== null && (
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

const NONE: readonly Screenshot[] = [];

const locationOf = (id: string, filters: ScreenshotFilters): RunLocation => ({
  page: "run",
  id,
  ...filterQuery(filters),
});

/** The first cards and their images load before the rest, which may be thousands. */
const DRAWN_MS = 200;

/** Returns the first screenshots until all are loaded; nothing if they are cached. */
function useFirstScreenshots(id: string) {
  const client = useQueryClient();
  const [isNeeded] = useState(() => client.getQueryData(screenshotsQuery(id, true).queryKey) === undefined);
  const first = useQuery({ ...firstScreenshotsQuery(id), enabled: isNeeded });
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
