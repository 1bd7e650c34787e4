import type { QueryClient } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { runQuery, screenshotsQuery, sessionQuery, unconfirmed } from "../../api/queries.ts";
import type { RunOfTeam } from "../../api/runs.ts";
import type { Screenshot } from "../../api/screenshot.ts";
import { reloadScreenshotsSoon } from "../../api/use-progress.ts";
import { UNDONE_REASON } from "../../texts/review.ts";
import { applyDecision, type Decision, type Reviewer } from "./decision.ts";
import { Outbox } from "./outbox.ts";

/**
 * The decisions of one reviewer on a run in this page. They outlast a sign-in or a switch to another team.
 */
export interface DecisionStore {
  run: RunOfTeam;
  countsAs: string;
  outbox: Outbox;
  undos: Decision[][];
}

/** By the names of their outboxes. */
const stores = new Map<string, DecisionStore>();

/** A run with decisions that a reviewer has to look after. */
export interface UnsavedRun {
  run: RunOfTeam;
  countsAs: string;
  decisions: number;
}

let unsavedRuns: readonly UnsavedRun[] = [];
const listeners = new Set<() => void>();

// Decisions are also sent after their run's page was left.
addEventListener("beforeunload", event => {
  if ([...stores.values()].some(({ outbox }) => outbox.unsaved.waiting.length > 0)) event.preventDefault();
});

/** Follows the runs with refused decisions, or with decisions that couldn't be sent yet. */
export function subscribeToUnsaved(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the same array until it changes. */
export function readUnsaved(): readonly UnsavedRun[] {
  return unsavedRuns;
}

function noteUnsaved(): void {
  unsavedRuns = [...stores.values()].flatMap(({ run, countsAs, outbox }) => {
    const { waiting, refused, trouble } = outbox.unsaved;
    const decisions = refused.length + (trouble === null ? 0 : waiting.length);
    return decisions > 0 ? [{ run, countsAs, decisions }] : [];
  });
  for (const listener of listeners) listener();
}

/** Returns the decisions of a reviewer on a run, with unconfirmed ones from before a reload of the page. */
export function storeOf(client: QueryClient, run: RunOfTeam, reviewer: Reviewer): DecisionStore {
  const name = `vrs-unsaved ${reviewer.countsAs} ${run.team} ${run.id}`;
  const known = stores.get(name);
  const store = known ?? newStore(client, run, { name, reviewer });
  const waiting = () => store.outbox.unsaved.waiting;
  const shown = (shots: Screenshot[]) =>
    waiting().reduce((before, decision) => applyDecision(before, decision, reviewer), shots);
  unconfirmed.set(run.id, { isEmpty: () => waiting().length === 0, shown });
  if (known) return known;
  stores.set(name, store);
  client.setQueryData(screenshotsQuery(run.id, true).queryKey, shots => shots && shown(shots));
  return store;
}

function newStore(
  client: QueryClient,
  run: RunOfTeam,
  { name, reviewer: { countsAs } }: { name: string; reviewer: Reviewer },
): DecisionStore {
  const links = {
    send: async (decision: Decision) => {
      const conclusion = await send(run, decision);
      client.setQueryData(runQuery(run.id).queryKey, before => before && { ...before, conclusion });
    },
    onHandled: (decision: Decision) => onHandled(client, run.id, store, decision),
    onSignedOut: () => client.setQueryData(sessionQuery.queryKey, null),
  };
  const outbox = new Outbox(links, sessionStorage, name);
  const store: DecisionStore = { run, countsAs, outbox, undos: [] };
  outbox.subscribe(noteUnsaved);
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

async function send(run: RunOfTeam, { ids, verdict, reason, noise = false }: Decision) {
  if (verdict === "approved") return (await api.approve(run, ids, reason)).conclusion;
  if (verdict === null) return (await api.dismissOwn(run, UNDONE_REASON, ids)).conclusion;
  return (await api.reject(run, { reason: reason ?? "", noise }, ids)).conclusion;
}
