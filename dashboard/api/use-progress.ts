import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { RunProgress, RunView } from "../../shared/contracts/http.ts";
import { followRun } from "./progress.ts";
import { isOver, live, runQuery, unsettled } from "./queries.ts";

/** Decisions come in bursts: a group, or one key press after another. */
const BURST_MS = 250;
/** A run of thousands is read less often. */
const BURST_MS_PER_SHOT = 1;

const readings = new Map<string, ReturnType<typeof setTimeout>>();

/** Reads a run's screenshots once more, once for all that is told in a short while. */
export function readShotsSoon(client: QueryClient, runId: string): void {
  if (readings.has(runId)) return;
  const shots = client.getQueryData<readonly unknown[]>(["shots", runId])?.length ?? 0;
  const read = () => {
    readings.delete(runId);
    // What is being decided here reads them when it is answered.
    if (unsettled.isSettled(runId)) void client.invalidateQueries({ queryKey: ["shots", runId] });
  };
  readings.set(runId, setTimeout(read, BURST_MS + shots * BURST_MS_PER_SHOT));
}

/** Keeps a run as it is while it is under way, and after its end as it is reviewed, for as long as the page is seen. */
export function useProgress(run: RunView | undefined): void {
  const client = useQueryClient();
  const id = run?.id ?? null;
  useEffect(() => {
    if (id === null) return;
    let stop = new AbortController();
    const look = () => {
      stop.abort();
      live.delete(id);
      stop = new AbortController();
      // A browser has few connections for one service: pages that nobody looks at leave them to the others.
      if (document.visibilityState === "visible") follow(client, id, stop.signal);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      stop.abort();
      live.delete(id);
    };
  }, [client, id]);
}

function follow(client: QueryClient, id: string, signal: AbortSignal): void {
  const { queryKey } = runQuery(id);
  let isBeginning = false;
  let hasMissed = false;
  void followRun(id, signal, {
    tell(progress) {
      const before = client.getQueryData(queryKey);
      // The stream begins with the state that the page has read already, if it is lucky.
      const isKnown = isBeginning && !hasMissed && before !== undefined && isSame(before, progress);
      if (isBeginning) hasMissed = false;
      isBeginning = false;
      if (isOver(progress.status) && before && !isOver(before.status)) {
        void end(client, progress);
        return;
      }
      client.setQueryData(queryKey, known => known && { ...known, ...progress });
      if (isOver(progress.status) && !isKnown) readShotsSoon(client, id);
    },
    opened() {
      live.add(id);
      isBeginning = true;
    },
    broke() {
      live.delete(id);
      hasMissed = true;
      readShotsSoon(client, id);
    },
  });
}

/** Shows the run's end once its screenshots are read as they are then: what is approved as a whole must be the whole. */
async function end(client: QueryClient, progress: RunProgress): Promise<void> {
  await client.invalidateQueries({ queryKey: ["shots", progress.id] });
  const { queryKey } = runQuery(progress.id);
  client.setQueryData(queryKey, known => known && { ...known, ...progress });
  void client.invalidateQueries({ queryKey });
  void client.invalidateQueries({ queryKey: ["runs"] });
}

function isSame(run: RunView, { status, conclusion, counts }: RunProgress): boolean {
  const counted = JSON.stringify(Object.entries(run.counts).sort());
  const isCounted = counted === JSON.stringify(Object.entries(counts).sort());
  return run.status === status && run.conclusion === conclusion && isCounted;
}
