import type { Query, QueryClient } from "@tanstack/react-query";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { LIVE_KINDS, type LiveNudge } from "../../shared/contracts/teams/live.ts";
import { followStream } from "./event-stream.ts";
import { Reading, readAgain } from "./reading.ts";

/** With the stream open, what got lost on its way is seen by then. */
const LOST_MS = 60_000;

/** Whether everything that changes is told to this page. */
const live = { isOpen: false };

/** How often to read without being told: seldom while the stream is open, else as often as is asked for. */
export const unlessLive = (ms: number): number => (live.isOpen ? LOST_MS : ms);

/**
 * Who wants to know of runs.
 * @param ids null where any may have changed
 * @param isNews false where nothing was told or missed: they may well be as they were
 */
type OnRuns = (ids: readonly string[] | null, isNews: boolean) => void;

const onRuns = new Set<OnRuns>();

/** Calls back when runs have changed, until what it returns is called. */
export function whenRunsChange(act: OnRuns): () => void {
  onRuns.add(act);
  return () => onRuns.delete(act);
}

/**
 * Keeps all pages of this tab as the team's things are, by one stream. A hidden tab has none: a
 * browser has few connections for one service.
 * @param teamId the team that the pages are about; null for who is in none
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
    // What was told meanwhile is not known: anything may have changed, also what the reader may do.
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

/** Ids that were told since they were asked for; null for any. */
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

/** Reads again what the page shows of these runs, and marks the rest as old. */
async function readRuns(client: QueryClient, ids: ReadonlySet<string> | null): Promise<void> {
  // Ids are in the order of time: an older run is not the newest one.
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
