import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { runsQuery } from "../api/queries.ts";
import type { AppLocation } from "../app-location.ts";
import { navigate } from "../navigation.tsx";
import { SavedFilters } from "../saved-filters/saved-filters.tsx";
import { useMe } from "../session.tsx";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { runsTexts } from "../texts/runs/runs.ts";
import { More } from "../ui/more.tsx";
import { Loading, Problem, useTitle } from "../ui/parts.tsx";
import { FirstRun } from "./first-run.tsx";
import { nameOfFilters, RunFilterBar } from "./run-filter-bar.tsx";
import { RunRow } from "./run-row.tsx";
import { SubmitRun } from "./submit-run.tsx";

/** Lists the team's runs, newest first. New runs and progress appear without a reload. */
export function RunsPage({ location }: { location: Extract<AppLocation, { page: "runs" }> }) {
  const { filters, isStarting = false } = location;
  useTitle(runsTexts.title);
  const { may } = useMe();
  const [isSubmitting, setSubmitting] = useState(isStarting);
  const list = useInfiniteQuery(runsQuery(filters));
  const { data, error, isRefetchError, refetch } = list;
  const runs = data?.pages.flatMap(page => page.data);
  const isFiltered = Object.keys(filters).length > 0;
  const isFirst = runs?.length === 0 && !isFiltered;
  return (
    <>
      <div className="page-head">
        <h1>{runsTexts.title}</h1>
        {may("reviewer") && !isFirst && (
          <button type="button" className="primary" onClick={() => setSubmitting(true)}>
            {runsTexts.startRun}
          </button>
        )}
      </div>
      {isSubmitting && (
        <SubmitRun
          onClose={() => {
            setSubmitting(false);
            if (isStarting) navigate({ page: "runs", filters }, "replace");
          }}
        />
      )}
      {!isFirst && <RunFilterBar filters={filters} runs={runs ?? []} />}
      <SavedFilters
        location={{ page: "runs", filters }}
        isFiltered={isFiltered}
        suggestion={nameOfFilters(filters)}
      />
      {error && !runs && <Problem error={error} what={loadedThings.runs} again={refetch} />}
      {isRefetchError && <p className="stale">{commonTexts.outdatedList}</p>}
      {!runs && !error && <Loading what={loadedThings.runs} />}
      {isFirst && <FirstRun />}
      {runs?.length === 0 && isFiltered && <p className="empty">{runsTexts.noMatch}</p>}
      {runs && runs.length > 0 && (
        <ul className="runs" aria-label={runsTexts.title}>
          {runs.map(run => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      )}
      <More list={list}>{runsTexts.older}</More>
    </>
  );
}
