import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { LIVE_KINDS, type LiveChange } from "../../shared/contracts/teams/live.ts";
import { followStream } from "./event-stream.ts";
import { Reloader, reloadQueries } from "./reloader.ts";

/** With an open stream, lost events are noticed after this time. */
const LOST_MS = 60_000;

/** Whether an open stream reports all changes. */
const live = { isOpen: false };

/** Returns the polling interval: a long one while the stream is open, otherwise the given one. */
export const unlessLive = (ms: number): number => (live.isOpen ? LOST_MS : ms);

/**
 * A listener for changed runs.
 * @param ids null if any run may have changed
 * @param isNews false if no event was received or missed, so that the runs may be unchanged
 */
type OnRuns = (ids: readonly string[] | null, isNews: boolean) => void;

const onRuns = new Set<OnRuns>();

/** Calls back when runs change. Returns a function that ends this. */
export function whenRunsChange(act: OnRuns): () => void {
  onRuns.add(act);
  return () => onRuns.delete(act);
}

/**
 * Keeps all pages of this tab current with one stream. Hidden tabs have none, since browsers limit the
 * connections to one service.
 * @param teamId the team of the pages; null for users without a team
 */
export function useLive(teamId: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (teamId === null) return;
    let stop = new AbortController();
    const reconnect = () => {
      stop.abort();
      live.isOpen = false;
      stop = new AbortController();
      if (document.visibilityState === "visible") follow(client, stop.signal);
    };
    reconnect();
    document.addEventListener("visibilitychange", reconnect);
    return () => {
      document.removeEventListener("visibilitychange", reconnect);
      stop.abort();
      live.isOpen = false;
    };
  }, [client, teamId]);
}

function follow(client: QueryClient, signal: AbortSignal): void {
  const [runs, monitors] = [new Changed(), new Changed()];
  const runsRead = new Reloader(() => readRuns(client, runs.drain()));
  const monitorsRead = new Reloader(() => readMonitors(client, monitors.drain()));
  const onEvent = (kind: string, ids: LiveChange["ids"], isNews = true) => {
    if (kind === "runs") {
      runs.add(ids);
      runsRead.soon();
      for (const act of onRuns) act(ids, isNews);
    } else if (kind === "monitors") {
      monitors.add(ids);
      monitorsRead.soon();
    }
  };
  let hasBroken = false;
  const markAllChanged = () => {
    // Missed events are unknown: anything may have changed, also the reader's permissions.
    if (hasBroken) void client.invalidateQueries({ queryKey: ["session"] });
    for (const kind of LIVE_KINDS) onEvent(kind, null, hasBroken);
  };
  void followStream(
    {
      path: "v1/events",
      onEvent: ({ name, data }) => {
        const { ids }: LiveChange = JSON.parse(data);
        onEvent(name, ids);
      },
      onOpened() {
        live.isOpen = true;
        markAllChanged();
      },
      onBroken() {
        live.isOpen = false;
        hasBroken = true;
        markAllChanged();
      },
    },
    signal,
  );
}

/** Ids that changed since they were last read; null means any. */
class Changed {
  #ids: Set<string> | null = new Set();

  add(ids: readonly string[] | null): void {
    if (ids === null) this.#ids = null;
    for (const id of ids ?? []) this.#ids?.add(id);
  }

  drain(): ReadonlySet<string> | null {
    const ids = this.#ids;
    this.#ids = new Set();
    return ids;
  }
}

/** Reloads the shown data of these runs, and marks the rest as stale. */
async function readRuns(client: QueryClient, ids: ReadonlySet<string> | null): Promise<void> {
  // Ids are in the order of time, so an older run can't be the newest.
  const isNewer = ({ state: { data } }: Query) =>
    ids === null || !isNamed(data) || [...ids].some(id => id > data.id);
  await Promise.all([
    reloadQueries(client, { queryKey: ["runs"] }),
    reloadQueries(client, { queryKey: ["inbox"] }),
    reloadQueries(client, { queryKey: ["newest"], predicate: isNewer }),
  ]);
}

function isNamed(data: unknown): data is { id: string } {
  return typeof data === "object" && data !== null && "id" in data && typeof data.id === "string";
}

async function readMonitors(client: QueryClient, ids: ReadonlySet<string> | null): Promise<void> {
  const isAffected = ({ queryKey: [, id] }: Query) => ids === null || ids.has(String(id));
  await Promise.all([
    reloadQueries(client, { queryKey: ["monitors"] }),
    reloadQueries(client, { queryKey: ["monitor"], predicate: isAffected }),
    reloadQueries(client, { queryKey: ["alerts"], predicate: isAffected }),
    reloadQueries(client, { queryKey: ["maintenance"] }),
    reloadQueries(client, { queryKey: ["incidents"] }),
    reloadQueries(client, { queryKey: ["incident"] }),
  ]);
}
