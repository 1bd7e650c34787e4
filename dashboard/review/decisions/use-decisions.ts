import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { projectOfBuildBase } from "../../../shared/contracts/builds/builds.ts";
import { runQuery, screenshotsQuery, unconfirmed } from "../../api/queries.ts";
import type { Screenshot } from "../../api/screenshot.ts";
import { projectQuery } from "../../people/queries.ts";
import { useMe } from "../../session.tsx";
import { applyDecision, type Decision, decisionsToUndo, type Reviewer } from "./decision.ts";
import { storeOf } from "./decision-stores.ts";
import type { Outbox } from "./outbox.ts";

export interface Decisions {
  /**
   * Makes a decision. The page shows it at once, and the service receives decisions in order. Returns the
   * screenshots afterward.
   */
  decide: (decision: Decision) => readonly Screenshot[];
  /** Sends a refused decision again, also if the page still shows it. */
  resend: (decision: Decision) => void;
  /** Undoes the last decision of this page. Returns its screenshots. */
  undo: () => readonly string[];
  /** Whether there is a decision to undo. */
  canUndo: boolean;
  /** Decisions that aren't saved yet. */
  outbox: Outbox;
}

/** Returns the decisions on a run's screenshots that were made in this page, with undo. */
export function useDecisions(runId: string): Decisions {
  const client = useQueryClient();
  const reviewer = useReviewer(runId);
  const team = useMe().session.team?.id ?? null;
  const store = useMemo(
    () => storeOf(client, { id: runId, team }, reviewer),
    [client, runId, team, reviewer],
  );
  const { queryKey } = screenshotsQuery(runId, true);

  useEffect(() => {
    const { outbox } = store;
    const retry = () => outbox.retry();
    retry();
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, [store]);

  const apply = useCallback(
    (decision: Decision) => {
      client.setQueryData(
        queryKey,
        (shots: Screenshot[] | undefined) => shots && applyDecision(shots, decision, reviewer),
      );
      unconfirmed.changed();
      store.outbox.add(decision);
    },
    [client, queryKey, store, reviewer],
  );

  const undo = useCallback(() => {
    const last = store.undos.pop();
    for (const decision of last ?? []) apply(decision);
    return last?.flatMap(({ ids }) => ids) ?? [];
  }, [apply, store]);

  /** Returns whether the decision changes what the page shows. */
  const keepUndo = useCallback(
    (decision: Decision) => {
      const back = decisionsToUndo(client.getQueryData(queryKey) ?? [], decision);
      if (back.length > 0) store.undos.push(back);
      return back.length > 0;
    },
    [client, queryKey, store],
  );

  const decide = useCallback(
    (decision: Decision) => {
      if (keepUndo(decision)) apply(decision);
      const affected = new Set(decision.ids);
      return (client.getQueryData(queryKey) ?? []).filter(({ id }) => affected.has(id));
    },
    [client, queryKey, apply, keepUndo],
  );

  const resend = useCallback(
    (decision: Decision) => {
      keepUndo(decision);
      apply(decision);
    },
    [apply, keepUndo],
  );

  const canUndo = store.undos.length > 0;
  return useMemo(
    () => ({ decide, resend, undo, canUndo, outbox: store.outbox }),
    [decide, resend, undo, canUndo, store],
  );
}

function useReviewer(runId: string): Reviewer {
  const { actor, countsAs, team } = useMe().session;
  const { data: run } = useQuery(runQuery(runId));
  const requiredApprovals = useProjectApprovals(run?.project ?? null) ?? team?.requiredApprovals ?? 1;
  return useMemo(() => ({ by: actor, countsAs, requiredApprovals }), [actor, countsAs, requiredApprovals]);
}

const SETTINGS_STALE_MS = 60_000;

/** Returns the approvals that a project requires, or the project of a named build. Null: the team's number. */
function useProjectApprovals(project: string | null): number | null {
  const base = project && projectOfBuildBase(project);
  const settingsOf = (name: string | null) => ({
    ...projectQuery(name ?? ""),
    enabled: name !== null,
    staleTime: SETTINGS_STALE_MS,
  });
  const { data: own } = useQuery(settingsOf(project));
  const { data: ofBase } = useQuery(settingsOf(base));
  return own?.requiredApprovals ?? ofBase?.requiredApprovals ?? null;
}
