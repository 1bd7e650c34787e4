import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { api } from "./client.ts";
import { whenRunsChange } from "./live.ts";
import { runQuery, unsettled } from "./queries.ts";
import { Reading } from "./reading.ts";

/** Decisions come in bursts: a group, or one key press after another. */
const BURST_MS = 250;
/** A run of thousands is read less often. */
const BURST_MS_PER_SHOT = 1;
/** Of a run under way each screenshot is news. */
const BUSY_MS = 2_000;
const BUSY_MS_PER_SHOT = 10;

const readings = new Map<string, { timer: ReturnType<typeof setTimeout>; atMs: number }>();

/** Reads a run's screenshots once more, once for all that is told in a short while. */
export function readShotsSoon(client: QueryClient, runId: string, isBusy = false): void {
  const shots = client.getQueryData<readonly unknown[]>(["shots", runId])?.length ?? 0;
  const inMs = isBusy ? Math.max(BUSY_MS, shots * BUSY_MS_PER_SHOT) : BURST_MS + shots * BURST_MS_PER_SHOT;
  const atMs = Date.now() + inMs;
  const planned = readings.get(runId);
  if (planned && planned.atMs <= atMs) return;
  clearTimeout(planned?.timer);
  const read = () => {
    readings.delete(runId);
    // What is being decided here reads them when it is answered.
    if (unsettled.isSettled(runId)) void client.invalidateQueries({ queryKey: ["shots", runId] });
  };
  readings.set(runId, { timer: setTimeout(read, inMs), atMs });
}

/**
 * Keeps a run as it is while it is under way, and after its end as it is reviewed, for as long as the page is there.
 * Listens before the run is read: its end may come while the page is being read.
 * @param id the run; null for none
 */
export function useProgress(id: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (id === null) return;
    // With news of this run, its screenshots may be others though its counts are the same; else it may be as it was.
    let isTold = false;
    const reading = new Reading(async () => {
      const wasTold = isTold;
      isTold = false;
      await readRun(client, id, wasTold).catch(() => {
        isTold ||= wasTold;
      });
    });
    return whenRunsChange((ids, isNews) => {
      if (ids !== null && !ids.includes(id)) return;
      isTold ||= isNews;
      reading.soon();
    });
  }, [client, id]);
}

async function readRun(client: QueryClient, id: string, isTold: boolean): Promise<void> {
  const { queryKey } = runQuery(id);
  const run = await api.run(id);
  // What began to be read before this may be older, and would come after it.
  await client.cancelQueries({ queryKey });
  const before = client.getQueryData(queryKey);
  if (isEnded(run.status) && before && !isEnded(before.status)) {
    // What is approved as a whole must be the whole: its end is shown once its screenshots are read as they are then.
    await client.invalidateQueries({ queryKey: ["shots", id] });
    client.setQueryData(queryKey, run);
    return;
  }
  client.setQueryData(queryKey, run);
  if (isTold || !before || !isSame(before, run)) readShotsSoon(client, id, !isEnded(run.status));
}

function isSame(one: RunView, other: RunView): boolean {
  const counted = ({ counts }: RunView) => JSON.stringify(Object.entries(counts).sort());
  return (
    one.status === other.status && one.conclusion === other.conclusion && counted(one) === counted(other)
  );
}
