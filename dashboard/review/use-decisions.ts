import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { api } from "../api/client.ts";
import { runQuery, sessionQuery, shotsQuery, unsettled } from "../api/queries.ts";
import type { Shot } from "../api/shot.ts";
import { readShotsSoon } from "../api/use-progress.ts";
import { useMe } from "../session.tsx";
import { type Decision, decided, type Reviewer, TAKEN_BACK, undoing } from "./decision.ts";
import { Outbox } from "./outbox.ts";

export interface Decisions {
  /** Decides; the page shows it at once, and the service is told one after another. Returns the screenshots after it. */
  decide: (decision: Decision) => readonly Shot[];
  /** Takes back the last decision that was made here. Returns the screenshots that it was about. */
  undo: () => readonly string[];
  /** Whether there is a decision to take back. */
  canUndo: boolean;
  /** What of it is not with the service yet. */
  outbox: Outbox;
}

/** What one reviewer decides on a run in this page; it outlasts the way to signing in and back. */
interface Desk {
  countsAs: string;
  outbox: Outbox;
  undos: Decision[][];
}

const desks = new Map<string, Desk>();

/** The decisions that are made on a run's screenshots in this page, and the way back. */
export function useDecisions(runId: string): Decisions {
  const client = useQueryClient();
  const reviewer = useReviewer();
  const desk = useMemo(() => deskOf(client, runId, reviewer), [client, runId, reviewer]);
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
      unsettled.begin(runId);
      desk.outbox.add(decision);
    },
    [client, queryKey, runId, desk, reviewer],
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

/** Also what she decided before the page was loaded anew, if it was never answered. */
function deskOf(client: QueryClient, runId: string, reviewer: Reviewer): Desk {
  const { countsAs } = reviewer;
  const known = desks.get(runId);
  if (known?.countsAs === countsAs) return known;
  // What another left waits in the tab until she is back.
  for (const _ of known?.outbox.unsaved.waiting ?? []) unsettled.end(runId);
  const links = {
    send: async (decision: Decision) => {
      const conclusion = await send(runId, decision);
      client.setQueryData(runQuery(runId).queryKey, run => run && { ...run, conclusion });
    },
    settled: (decision: Decision) => settled(client, runId, desk, decision),
    signedOut: () => client.setQueryData(sessionQuery.queryKey, null),
  };
  const outbox = new Outbox(links, sessionStorage, `vrs-unsaved ${countsAs} ${runId}`);
  const desk: Desk = { countsAs, outbox, undos: [] };
  desks.set(runId, desk);
  for (const _ of outbox.unsaved.waiting) unsettled.begin(runId);
  const shown = (shots: Shot[]) =>
    outbox.unsaved.waiting.reduce((before, decision) => decided(before, decision, reviewer), shots);
  unsettled.showWith(runId, shown);
  client.setQueryData(shotsQuery(runId, true).queryKey, shots => shots && shown(shots));
  return desk;
}

function settled(client: QueryClient, runId: string, { outbox, undos }: Desk, decision: Decision): void {
  unsettled.end(runId);
  // What was not saved need not be taken back.
  if (outbox.unsaved.refused.some(refused => refused.decision === decision)) {
    const ids = new Set(decision.ids);
    const others = undos.filter(back => !back.some(each => each.ids.some(id => ids.has(id))));
    undos.splice(0, undos.length, ...others);
  }
  // What others said meanwhile counts too, and what was not saved is shown no longer.
  if (unsettled.isSettled(runId)) readShotsSoon(client, runId);
  void client.invalidateQueries({ queryKey: ["runs"] });
}

function useReviewer(): Reviewer {
  const { actor, countsAs, team } = useMe().session;
  const requiredApprovals = team?.requiredApprovals ?? 1;
  return useMemo(() => ({ by: actor, countsAs, requiredApprovals }), [actor, countsAs, requiredApprovals]);
}

async function send(runId: string, { ids, verdict, reason }: Decision) {
  const screenshots = [...ids];
  if (verdict === "approved") return (await api.approve(runId, screenshots)).conclusion;
  if (verdict === null) return (await api.dismissOwn(runId, TAKEN_BACK, screenshots)).conclusion;
  return (await api.reject(runId, reason ?? "", screenshots)).conclusion;
}
