import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { projectOfBuildBase } from "../../../shared/contracts/builds/builds.ts";
import { api } from "../../api/client.ts";
import { runQuery, screenshotsQuery, sessionQuery, unconfirmed } from "../../api/queries.ts";
import type { RunOfTeam } from "../../api/runs.ts";
import type { Screenshot } from "../../api/screenshot.ts";
import { reloadScreenshotsSoon } from "../../api/use-progress.ts";
import { projectQuery } from "../../people/queries.ts";
import { useMe } from "../../session.tsx";
import { UNDONE_REASON } from "../../texts/review.ts";
import { applyDecision, type Decision, decisionsToUndo, type Reviewer } from "./decision.ts";
import { Outbox } from "./outbox.ts";

export interface Decisions {
  /**
   * Makes a decision. The page shows it at once, and the service receives decisions in order. Returns the
   * screenshots afterward.
   */
  decide: (decision: Decision) => readonly Screenshot[];
  /** Undoes the last decision of this page. Returns its screenshots. */
  undo: () => readonly string[];
  /** Whether there is a decision to undo. */
  canUndo: boolean;
  /** Decisions that aren't saved yet. */
  outbox: Outbox;
}

/**
 * The decisions of one reviewer on a run in this page. They outlast a sign-in or a switch to another team.
 */
interface DecisionStore {
  outbox: Outbox;
  undos: Decision[][];
}

/** By the names of their outboxes. */
const stores = new Map<string, DecisionStore>();

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
    const warn = (event: BeforeUnloadEvent) => {
      if (outbox.unsaved.waiting.length > 0) event.preventDefault();
    };
    retry();
    addEventListener("online", retry);
    addEventListener("beforeunload", warn);
    return () => {
      removeEventListener("online", retry);
      removeEventListener("beforeunload", warn);
    };
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

  const decide = useCallback(
    (decision: Decision) => {
      const back = decisionsToUndo(client.getQueryData(queryKey) ?? [], decision);
      if (back.length > 0) {
        store.undos.push(back);
        apply(decision);
      }
      const affected = new Set(decision.ids);
      return (client.getQueryData(queryKey) ?? []).filter(({ id }) => affected.has(id));
    },
    [client, queryKey, apply, store],
  );

  const canUndo = store.undos.length > 0;
  return useMemo(() => ({ decide, undo, canUndo, outbox: store.outbox }), [decide, undo, canUndo, store]);
}

/** Includes unconfirmed decisions from before a reload of the page. */
function storeOf(client: QueryClient, run: RunOfTeam, reviewer: Reviewer): DecisionStore {
  const name = `vrs-unsaved ${reviewer.countsAs} ${run.team} ${run.id}`;
  const known = stores.get(name);
  const store = known ?? newStore(client, run, name);
  const waiting = () => store.outbox.unsaved.waiting;
  const shown = (shots: Screenshot[]) =>
    waiting().reduce((before, decision) => applyDecision(before, decision, reviewer), shots);
  unconfirmed.set(run.id, { isEmpty: () => waiting().length === 0, shown });
  if (known) return known;
  stores.set(name, store);
  client.setQueryData(screenshotsQuery(run.id, true).queryKey, shots => shots && shown(shots));
  return store;
}

function newStore(client: QueryClient, run: RunOfTeam, name: string): DecisionStore {
  const links = {
    send: async (decision: Decision) => {
      const conclusion = await send(run, decision);
      client.setQueryData(runQuery(run.id).queryKey, before => before && { ...before, conclusion });
    },
    onHandled: (decision: Decision) => onHandled(client, run.id, store, decision),
    onSignedOut: () => client.setQueryData(sessionQuery.queryKey, null),
  };
  const store: DecisionStore = { outbox: new Outbox(links, sessionStorage, name), undos: [] };
  return store;
}

function onHandled(
  client: QueryClient,
  runId: string,
  { outbox, undos }: DecisionStore,
  decision: Decision,
): void {
  unconfirmed.changed();
  // A decision that wasn't saved needs no undo.
  if (outbox.unsaved.refused.some(refused => refused.decision === decision)) {
    const ids = new Set(decision.ids);
    const others = undos.filter(back => !back.some(each => each.ids.some(id => ids.has(id))));
    undos.splice(0, undos.length, ...others);
  }
  // Loads decisions of others, and removes unsaved ones.
  if (unconfirmed.isConfirmed(runId)) reloadScreenshotsSoon(client, runId);
  void client.invalidateQueries({ queryKey: ["runs"] });
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

async function send(run: RunOfTeam, { ids, verdict, reason, noise = false }: Decision) {
  if (verdict === "approved") return (await api.approve(run, ids, reason)).conclusion;
  if (verdict === null) return (await api.dismissOwn(run, UNDONE_REASON, ids)).conclusion;
  return (await api.reject(run, { reason: reason ?? "", noise }, ids)).conclusion;
}
