import { infiniteQueryOptions, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";
import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import type { RunView, ScreenshotList } from "../../shared/contracts/runs/runs.ts";
import type { Tally } from "../../shared/report/tally.ts";
import type { RunFilters } from "../place.ts";
import { api } from "./client.ts";
import { unlessLive } from "./live.ts";
import { ApiProblem } from "./request.ts";
import { type Shot, shotOf } from "./shot.ts";

/** Runs on a page of the list. */
const RUNS = 25;
/** The list shows progress as numbers: slower than the eye would like it, and cheap. */
const BUSY_MS = 2_000;
const IDLE_MS = 5_000;
/** What another reviewer decides is told at once; where nothing is told, it is seen by then. */
const REVIEW_MS = 5_000;

/** Caches what was read. An answer without a session signs every page out. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (error instanceof ApiProblem && error.status === 401) queryClient.setQueryData(["session"], null);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // What the service refuses, it refuses again; what did not answer may the next time.
      retry: (failures, error) =>
        failures < 3 && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
    },
  },
});

export const sessionQuery = queryOptions({ queryKey: ["session"], queryFn: api.session, staleTime: 60_000 });

/** How people may sign in here; while the page is open it stays so. */
export const waysInQuery = queryOptions({
  queryKey: ["ways-in"],
  queryFn: api.waysIn,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Which channels the service can serve; that changes when it restarts. */
export const channelsQuery = queryOptions({
  queryKey: ["alert-channels"],
  queryFn: api.alertChannels,
  staleTime: Number.POSITIVE_INFINITY,
});

export const runsQuery = (filters: RunFilters) =>
  infiniteQueryOptions({
    queryKey: ["runs", filters],
    initialPageParam: noCursor(),
    queryFn: ({ pageParam }) => api.runs(filters, RUNS, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval({ state }) {
      const pages = state.data?.pages ?? [];
      const busy = pages.some(({ data }) => data.some(run => !isEnded(run.status)));
      // All pages are read again, so a long list refreshes less often.
      return unlessLive((busy ? BUSY_MS : IDLE_MS) * Math.max(1, pages.length));
    },
  });

function noCursor(): string | null {
  return null;
}

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ["run", id],
    queryFn: () => api.run(id),
    refetchInterval: () => unlessLive(REVIEW_MS * 2),
  });

/** What the reader has decided on a run and the service has not answered yet. */
interface Undelivered {
  isEmpty(): boolean;
  /** How the run's screenshots look with it. */
  shown(shots: Shot[]): Shot[];
}

/** Runs with decisions that the service has not answered yet: what is read meanwhile may be older than the page. */
class Unsettled {
  readonly #undelivered = new Map<string, Undelivered>();
  #changes = 0;

  /** From now on the run's decisions are these. */
  keep(runId: string, undelivered: Undelivered): void {
    this.#undelivered.set(runId, undelivered);
  }

  /** Something was decided, or answered: what is being read may be of before. */
  changed(): void {
    this.#changes += 1;
  }

  /** Whether everything that was decided on the run is answered. */
  isSettled(runId: string): boolean {
    return this.#undelivered.get(runId)?.isEmpty() ?? true;
  }

  /** Reads; when something was decided meanwhile, what is known stays. */
  async read(runId: string, read: () => Promise<Shot[]>, known: () => Shot[] | undefined): Promise<Shot[]> {
    const before = this.#changes;
    const answer = await read();
    if (before === this.#changes && this.isSettled(runId)) return answer;
    return known() ?? this.#undelivered.get(runId)?.shown(answer) ?? answer;
  }
}

export const unsettled = new Unsettled();

/** More than a window shows at first. */
const FIRST_SHOTS = 60;

/** What of a run's screenshots its page is drawn with at first. */
export interface FirstShots {
  shots: Shot[];
  /** Of all of them. */
  tally: Tally;
  viewports: number[];
}

const readersShots = (client: QueryClient, { data }: ScreenshotList): Shot[] => {
  const reader = client.getQueryData(sessionQuery.queryKey)?.countsAs ?? null;
  return data.map(screenshot => shotOf(screenshot, reader));
};

/** The screenshots that the page shows first, in its order; where these are all, no others are read. */
export const firstShotsQuery = (runId: string) =>
  queryOptions({
    queryKey: ["first-shots", runId],
    queryFn: async ({ client }): Promise<FirstShots> => {
      let list: ScreenshotList | null = null;
      const read = async () => {
        list = await api.firstScreenshots(runId, FIRST_SHOTS);
        return readersShots(client, list);
      };
      const shots = await unsettled.read(runId, read, () => undefined);
      const { nextCursor, summary } = list ?? NOTHING;
      if (nextCursor === null) {
        // The run may be read later than these, and be over by then: with some pending they are read again after it.
        const updatedAt = shots.some(({ status }) => status === "pending") ? 0 : Date.now();
        client.setQueryData(["shots", runId], inOrderOfIds(shots), { updatedAt });
      }
      const { standings = {}, minor = {}, failed = 0, viewports = [] } = summary ?? {};
      return { shots, tally: { standings, minor, failed }, viewports };
    },
    // Once there are all of them, it is not looked at.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

const NOTHING: ScreenshotList = { data: [], nextCursor: null };

const inOrderOfIds = (shots: Shot[]): Shot[] => shots.toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** Every screenshot of a run, read again for as long as it changes. */
export const shotsQuery = (runId: string, over: boolean) =>
  queryOptions({
    queryKey: ["shots", runId],
    queryFn: ({ client }): Promise<Shot[]> =>
      unsettled.read(
        runId,
        async () => readersShots(client, await api.screenshots(runId)),
        () => client.getQueryData(["shots", runId]),
      ),
    refetchInterval: ({ state }) => {
      const many = (state.data?.length ?? 0) / 200;
      return unlessLive((over ? REVIEW_MS : BUSY_MS) * Math.max(1, many));
    },
  });

/** The latest run of the same project and branch. */
export const newestQuery = ({ project, branch }: Pick<RunView, "project" | "branch">) =>
  queryOptions({
    queryKey: ["newest", project, branch],
    queryFn: async () => (await api.runs({ project, ...(branch && { branch }) }, 1, null)).data[0] ?? null,
    refetchInterval: () => unlessLive(IDLE_MS),
  });
