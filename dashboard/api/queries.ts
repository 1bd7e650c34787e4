import { infiniteQueryOptions, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";
import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import type { ScreenshotList } from "../../shared/contracts/runs/screenshots.ts";
import type { Tally } from "../../shared/report/tally.ts";
import type { RunFilters } from "../location-filters.ts";
import { api } from "./client.ts";
import { unlessLive } from "./live.ts";
import { ApiProblem } from "./request.ts";
import { type Screenshot, toScreenshot } from "./screenshot.ts";

/** Runs per page of the list. */
const RUNS = 25;
/** The list shows progress as numbers, so a slow and cheap interval is enough. */
const BUSY_MS = 2_000;
const IDLE_MS = 5_000;
/** Without a stream, decisions of other reviewers appear after this time. */
const REVIEW_MS = 5_000;

/** Caches what was loaded. A response without a session signs every page out. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (error instanceof ApiProblem && error.status === 401) queryClient.setQueryData(["session"], null);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // Refusals are final, but a missing response may come on a retry.
      retry: (failures, error) =>
        failures < 3 && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
    },
  },
});

export const sessionQuery = queryOptions({ queryKey: ["session"], queryFn: api.session, staleTime: 60_000 });

/** The sign-in methods. They don't change while the page is open. */
export const signInMethodsQuery = queryOptions({
  queryKey: ["ways-in"],
  queryFn: () => api.signInMethods(null),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The sign-in methods with a team's own provider, if it has one. */
export const teamSignInQuery = (team: string | null) =>
  queryOptions({
    queryKey: ["ways-in", team],
    queryFn: () => api.signInMethods(team),
    enabled: team !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The channels that the service supports. They only change at a restart. */
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
      // All pages are reloaded, so a long list refreshes less often.
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

/** The reader's decisions on a run that the service hasn't confirmed yet. */
interface Unconfirmed {
  isEmpty(): boolean;
  /** Applies the decisions to the run's screenshots. */
  shown(shots: Screenshot[]): Screenshot[];
}

/** Runs with unconfirmed decisions. Loaded data may be older than what the page shows. */
class UnconfirmedDecisions {
  readonly #undelivered = new Map<string, Unconfirmed>();
  #changes = 0;

  /** Sets the run's unconfirmed decisions. */
  set(runId: string, undelivered: Unconfirmed): void {
    this.#undelivered.set(runId, undelivered);
  }

  /** Notes a new or confirmed decision: data that is being loaded may be older. */
  changed(): void {
    this.#changes += 1;
  }

  /** Returns whether all decisions on the run are confirmed. */
  isConfirmed(runId: string): boolean {
    return this.#undelivered.get(runId)?.isEmpty() ?? true;
  }

  /** Loads screenshots. If decisions changed meanwhile, keeps the known ones. */
  async read(
    runId: string,
    read: () => Promise<Screenshot[]>,
    known: () => Screenshot[] | undefined,
  ): Promise<Screenshot[]> {
    const before = this.#changes;
    const answer = await read();
    if (before === this.#changes && this.isConfirmed(runId)) return answer;
    return known() ?? this.#undelivered.get(runId)?.shown(answer) ?? answer;
  }
}

export const unconfirmed = new UnconfirmedDecisions();

/** More than fit in a window. */
const FIRST_SCREENSHOTS = 60;

/** The screenshots that a run's page shows first. */
export interface FirstScreenshots {
  shots: Screenshot[];
  /** The tally of all screenshots. */
  tally: Tally;
  viewports: number[];
  environments: (string | null)[];
}

const screenshotsOf = (client: QueryClient, { data }: ScreenshotList): Screenshot[] => {
  const reader = client.getQueryData(sessionQuery.queryKey)?.countsAs ?? null;
  return data.map(screenshot => toScreenshot(screenshot, reader));
};

/** Loads the screenshots that the page shows first, in its order. If these are all, no others are loaded. */
export const firstScreenshotsQuery = (runId: string) =>
  queryOptions({
    queryKey: ["first-shots", runId],
    queryFn: async ({ client }): Promise<FirstScreenshots> => {
      let list: ScreenshotList | null = null;
      const read = async () => {
        list = await api.firstScreenshots(runId, FIRST_SCREENSHOTS);
        return screenshotsOf(client, list);
      };
      const shots = await unconfirmed.read(runId, read, () => undefined);
      const { nextCursor, summary } = list ?? NOTHING;
      if (nextCursor === null) {
        // The run may be loaded later and have ended by then. With pending screenshots, these are loaded
        // again.
        const updatedAt = shots.some(({ status }) => status === "pending") ? 0 : Date.now();
        client.setQueryData(["shots", runId], inOrderOfIds(shots), { updatedAt });
      }
      const { standings = {}, minor = {}, failed = 0, viewports = [], environments = [] } = summary ?? {};
      return { shots, tally: { standings, minor, failed }, viewports, environments };
    },
    // No longer used once all screenshots are loaded.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

const NOTHING: ScreenshotList = { data: [], nextCursor: null };

const inOrderOfIds = (shots: Screenshot[]): Screenshot[] =>
  shots.toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** Loads all screenshots of a run, repeatedly while it changes. */
export const screenshotsQuery = (runId: string, over: boolean) =>
  queryOptions({
    queryKey: ["shots", runId],
    queryFn: ({ client }): Promise<Screenshot[]> =>
      unconfirmed.read(
        runId,
        async () => screenshotsOf(client, await api.screenshots(runId)),
        () => client.getQueryData(["shots", runId]),
      ),
    refetchInterval: ({ state }) => {
      const many = (state.data?.length ?? 0) / 200;
      return unlessLive((over ? REVIEW_MS : BUSY_MS) * Math.max(1, many));
    },
  });

/** Loads the latest run of the same project and branch. */
export const newestQuery = ({ project, branch }: Pick<RunView, "project" | "branch">) =>
  queryOptions({
    queryKey: ["newest", project, branch],
    queryFn: async () => (await api.runs({ project, ...(branch && { branch }) }, 1, null)).data[0] ?? null,
    refetchInterval: () => unlessLive(IDLE_MS),
  });
