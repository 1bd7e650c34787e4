import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { api } from "./client.ts";
import { whenRunsChange } from "./live.ts";
import { runQuery, unconfirmed } from "./queries.ts";
import { Reloader } from "./reloader.ts";

/** Decisions come in bursts: for a group, or from quick key presses. */
const BURST_MS = 250;
/** Larger runs are reloaded less often. */
const BURST_MS_PER_SCREENSHOT = 1;
/** While a run is in progress, every screenshot is an event. */
const BUSY_MS = 2_000;
const BUSY_MS_PER_SCREENSHOT = 10;

const readings = new Map<string, { timer: ReturnType<typeof setTimeout>; atMs: number }>();

/** Reloads a run's screenshots, once for all events of a short time. */
export function reloadScreenshotsSoon(client: QueryClient, runId: string, isBusy = false): void {
  const shots = client.getQueryData<readonly unknown[]>(["shots", runId])?.length ?? 0;
  const inMs = isBusy
    ? Math.max(BUSY_MS, shots * BUSY_MS_PER_SCREENSHOT)
    : BURST_MS + shots * BURST_MS_PER_SCREENSHOT;
  const atMs = Date.now() + inMs;
  const planned = readings.get(runId);
  if (planned && planned.atMs <= atMs) return;
  clearTimeout(planned?.timer);
  const read = () => {
    readings.delete(runId);
    // Unconfirmed decisions reload the screenshots when they are confirmed.
    if (unconfirmed.isConfirmed(runId)) void client.invalidateQueries({ queryKey: ["shots", runId] });
  };
  readings.set(runId, { timer: setTimeout(read, inMs), atMs });
}

/**
 * Keeps a run current while it is in progress, and afterward during its review, as long as the page is open.
 * Listens before the run is loaded, since it may end during that.
 * @param id the run; null for none
 */
export function useProgress(id: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (id === null) return;
    // After an event of this run, its screenshots may have changed even with equal counts.
    let hasNews = false;
    const reading = new Reloader(async () => {
      const hadNews = hasNews;
      hasNews = false;
      await readRun(client, id, hadNews).catch(() => {
        hasNews ||= hadNews;
      });
    });
    return whenRunsChange((ids, isNews) => {
      if (ids !== null && !ids.includes(id)) return;
      hasNews ||= isNews;
      reading.soon();
    });
  }, [client, id]);
}

async function readRun(client: QueryClient, id: string, hasNews: boolean): Promise<void> {
  const { queryKey } = runQuery(id);
  const run = await api.run(id);
  // Data that started to load earlier may be older and arrive later.
  await client.cancelQueries({ queryKey });
  const before = client.getQueryData(queryKey);
  if (isEnded(run.status) && before && !isEnded(before.status)) {
    // Approving a whole run needs all of it. So the end is shown once the final screenshots are loaded.
    await client.invalidateQueries({ queryKey: ["shots", id] });
    client.setQueryData(queryKey, run);
    return;
  }
  client.setQueryData(queryKey, run);
  if (hasNews || !before || !isSame(before, run)) reloadScreenshotsSoon(client, id, !isEnded(run.status));
}

function isSame(one: RunView, other: RunView): boolean {
  const counted = ({ counts }: RunView) => JSON.stringify(Object.entries(counts).sort());
  return (
    one.status === other.status && one.conclusion === other.conclusion && counted(one) === counted(other)
  );
}
