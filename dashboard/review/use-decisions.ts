import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef } from "react";
import type { Conclusion } from "../../shared/contracts/http.ts";
import { api } from "../api/client.ts";
import { runQuery, shotsQuery, unsettled } from "../api/queries.ts";
import type { Shot } from "../api/shot.ts";
import { useMe } from "../session.tsx";
import { useSay, wordsOf } from "../ui/say.tsx";
import { type Decision, decided, type Reviewer, TAKEN_BACK, undoing } from "./decision.ts";

export interface Decisions {
  /** Decides; the page shows it at once, and the service is told one after another. Returns the screenshots after it. */
  decide: (decision: Decision) => readonly Shot[];
  /** Takes back the last decision that was made here. Returns the screenshots that it was about. */
  undo: () => readonly string[];
}

/** The decisions that are made on a run's screenshots in this page, and the way back. */
export function useDecisions(runId: string): Decisions {
  const client = useQueryClient();
  const say = useSay();
  const reviewer = useReviewer();
  const undos = useRef<Decision[][]>([]);
  const sent = useRef(Promise.resolve());
  const { queryKey } = shotsQuery(runId, true);

  const apply = useCallback(
    (decision: Decision) => {
      client.setQueryData(
        queryKey,
        (shots: Shot[] | undefined) => shots && decided(shots, decision, reviewer),
      );
      unsettled.begin(runId);
      sent.current = sent.current.then(async () => {
        try {
          const conclusion = await send(runId, decision);
          client.setQueryData(runQuery(runId).queryKey, run => run && { ...run, conclusion });
        } catch (error) {
          undos.current = [];
          say({ text: `That was not saved. ${wordsOf(error)}`, isFault: true });
        } finally {
          unsettled.end(runId);
          // What others said meanwhile counts too, and what was not saved is shown no longer.
          if (unsettled.isSettled(runId)) void client.invalidateQueries({ queryKey });
          void client.invalidateQueries({ queryKey: ["runs"] });
        }
      });
    },
    [client, queryKey, runId, say, reviewer],
  );

  const undo = useCallback(() => {
    const last = undos.current.pop();
    for (const decision of last ?? []) apply(decision);
    return last?.flatMap(({ ids }) => ids) ?? [];
  }, [apply]);

  const decide = useCallback(
    (decision: Decision) => {
      const back = undoing(client.getQueryData(queryKey) ?? [], decision);
      if (back.length > 0) {
        undos.current.push(back);
        apply(decision);
      }
      const meant = new Set(decision.ids);
      return (client.getQueryData(queryKey) ?? []).filter(({ id }) => meant.has(id));
    },
    [client, queryKey, apply],
  );

  return useMemo(() => ({ decide, undo }), [decide, undo]);
}

function useReviewer(): Reviewer {
  const { actor, countsAs, team } = useMe().session;
  const requiredApprovals = team?.requiredApprovals ?? 1;
  return useMemo(() => ({ by: actor, countsAs, requiredApprovals }), [actor, countsAs, requiredApprovals]);
}

async function send(runId: string, { ids, verdict, reason }: Decision): Promise<Conclusion> {
  const screenshots = [...ids];
  if (verdict === "approved") return (await api.approve(runId, screenshots)).conclusion;
  if (verdict === null) return (await api.dismissOwn(runId, TAKEN_BACK, screenshots)).conclusion;
  return (await api.reject(runId, reason ?? "", screenshots)).conclusion;
}
