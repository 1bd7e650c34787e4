import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { api, type RunOfTeam } from "../../api/client.ts";
import { runQuery, sessionQuery, shotsQuery, unsettled } from "../../api/queries.ts";
import type { Shot } from "../../api/shot.ts";
import { readShotsSoon } from "../../api/use-progress.ts";
import { useMe } from "../../session.tsx";
import { UNDONE_REASON } from "../../texts/review.ts";
import { type Decision, decided, type Reviewer, undoing } from "./decision.ts";
import { Outbox } from "./outbox.ts";

export interface Decisions {
  /**
   * Makes a decision. The page shows it at once, and the service receives decisions in order. Returns the
   * screenshots afterward.
   */
  decide: (decision: Decision) => readonly Shot[];
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
interface Desk {
  outbox: Outbox;
  undos: Decision[][];
}

/** By the names of their outboxes. */
const desks = new Map<string, Desk>();

/** Returns the decisions on a run's screenshots that were made in this page, with undo. */
export function useDecisions(runId: string): Decisions {
  const client = useQueryClient();
  const reviewer = useReviewer();
  const team = useMe().session.team?.id ?? null;
  const desk = useMemo(() => deskOf(client, { id: runId, team }, reviewer), [client, runId, team, reviewer]);
  const { queryKey } = shotsQuery(runId, true);

  useEffect(() => {
    const { outbox } = desk;
    const resume = () => outbox.resume();
    const warn = (event: BeforeUnloadEvent) => {
      if (outbox.unsaved.waiting.length > 0) event.preventDefault();
    };
    resume();
    addEventListener("online", resume);
    addEventListener("beforeunload", warn);
    return () => {
      removeEventListener("online", resume);
      removeEventListener("beforeunload", warn);
    };
  }, [desk]);

  const apply = useCallback(
    (decision: Decision) => {
      client.setQueryData(
        queryKey,
        (shots: Shot[] | undefined) => shots && decided(shots, decision, reviewer),
      );
      unsettled.changed();
      desk.outbox.add(decision);
    },
    [client, queryKey, desk, reviewer],
  );

  const undo = useCallback(() => {
    const last = desk.undos.pop();
    for (const decision of last ?? []) apply(decision);
    return last?.flatMap(({ ids }) => ids) ?? [];
  }, [apply, desk]);

  const decide = useCallback(
    (decision: Decision) => {
      const back = undoing(client.getQueryData(queryKey) ?? [], decision);
      if (back.length > 0) {
        desk.undos.push(back);
        apply(decision);
      }
      const meant = new Set(decision.ids);
      return (client.getQueryData(queryKey) ?? []).filter(({ id }) => meant.has(id));
    },
    [client, queryKey, apply, desk],
  );

  const canUndo = desk.undos.length > 0;
  return useMemo(() => ({ decide, undo, canUndo, outbox: desk.outbox }), [decide, undo, canUndo, desk]);
}

/** Includes unconfirmed decisions from before a reload of the page. */
function deskOf(client: QueryClient, run: RunOfTeam, reviewer: Reviewer): Desk {
  const name = `vrs-unsaved ${reviewer.countsAs} ${run.team} ${run.id}`;
  const known = desks.get(name);
  const desk = known ?? newDesk(client, run, name);
  const waiting = () => desk.outbox.unsaved.waiting;
  const shown = (shots: Shot[]) =>
    waiting().reduce((before, decision) => decided(before, decision, reviewer), shots);
  unsettled.keep(run.id, { isEmpty: () => waiting().length === 0, shown });
  if (known) return known;
  desks.set(name, desk);
  client.setQueryData(shotsQuery(run.id, true).queryKey, shots => shots && shown(shots));
  return desk;
}

function newDesk(client: QueryClient, run: RunOfTeam, name: string): Desk {
  const links = {
    send: async (decision: Decision) => {
      const conclusion = await send(run, decision);
      client.setQueryData(runQuery(run.id).queryKey, before => before && { ...before, conclusion });
    },
    settled: (decision: Decision) => settled(client, run.id, desk, decision),
    signedOut: () => client.setQueryData(sessionQuery.queryKey, null),
  };
  const desk: Desk = { outbox: new Outbox(links, sessionStorage, name), undos: [] };
  return desk;
}

function settled(client: QueryClient, runId: string, { outbox, undos }: Desk, decision: Decision): void {
  unsettled.changed();
  // A decision that wasn't saved needs no undo.
  if (outbox.unsaved.refused.some(refused => refused.decision === decision)) {
    const ids = new Set(decision.ids);
    const others = undos.filter(back => !back.some(each => each.ids.some(id => ids.has(id))));
    undos.splice(0, undos.length, ...others);
  }
  // Loads decisions of others, and removes unsaved ones.
  if (unsettled.isSettled(runId)) readShotsSoon(client, runId);
  void client.invalidateQueries({ queryKey: ["runs"] });
}

function useReviewer(): Reviewer {
  const { actor, countsAs, team } = useMe().session;
  const requiredApprovals = team?.requiredApprovals ?? 1;
  return useMemo(() => ({ by: actor, countsAs, requiredApprovals }), [actor, countsAs, requiredApprovals]);
}

async function send(run: RunOfTeam, { ids, verdict, reason, noise = false }: Decision) {
  if (verdict === "approved") return (await api.approve(run, ids)).conclusion;
  if (verdict === null) return (await api.dismissOwn(run, UNDONE_REASON, ids)).conclusion;
  return (await api.reject(run, { reason: reason ?? "", noise }, ids)).conclusion;
}
