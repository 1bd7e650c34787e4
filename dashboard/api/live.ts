import type { Query, QueryClient } from "@tanstack/react-query";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { LIVE_KINDS, type LiveNudge } from "../../shared/contracts/teams/live.ts";
import { followStream } from "./event-stream.ts";
import { Reading, readAgain } from "./reading.ts";

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
    const look = () => {
      stop.abort();
      live.isOpen = false;
      stop = new AbortController();
      if (document.visibilityState === "visible") follow(client, stop.signal);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      stop.abort();
      live.isOpen = false;
    };
  }, [client, teamId]);
}

function follow(client: QueryClient, signal: AbortSignal): void {
  const [runs, monitors] = [new Changed(), new Changed()];
  const runsRead = new Reading(() => readRuns(client, runs.take()));
  const monitorsRead = new Reading(() => readMonitors(client, monitors.take()));
  const tell = (kind: string, ids: LiveNudge["ids"], isNews = true) => {
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
  const tellAll = () => {
    // Missed events are unknown: anything may have changed, also the reader's permissions.
    if (hasBroken) void client.invalidateQueries({ queryKey: ["session"] });
    for (const kind of LIVE_KINDS) tell(kind, null, hasBroken);
  };
  void followStream(
    {
      path: "v1/events",
      tell: ({ name, data }) => {
        const { ids }: LiveNudge = JSON.parse(data);
        tell(name, ids);
      },
      opened() {
        live.isOpen = true;
        tellAll();
      },
      broke() {
        live.isOpen = false;
        hasBroken = true;
        tellAll();
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

  take(): ReadonlySet<string> | null {
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
    readAgain(client, { queryKey: ["runs"] }),
    readAgain(client, { queryKey: ["newest"], predicate: isNewer }),
  ]);
}

function isNamed(data: unknown): data is { id: string } {
  return typeof data === "object" && data !== null && "id" in data && typeof data.id === "string";
}

async function readMonitors(client: QueryClient, ids: ReadonlySet<string> | null): Promise<void> {
  const isMeant = ({ queryKey: [, id] }: Query) => ids === null || ids.has(String(id));
  await Promise.all([
    readAgain(client, { queryKey: ["monitors"] }),
    readAgain(client, { queryKey: ["monitor"], predicate: isMeant }),
    readAgain(client, { queryKey: ["alerts"], predicate: isMeant }),
  ]);
}
