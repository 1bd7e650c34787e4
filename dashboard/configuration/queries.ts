import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { ConfigurationView } from "../../shared/contracts/configuration/configuration.ts";
import { api } from "../api/client.ts";

/** A trial takes seconds. */
const POLL_INTERVAL_MS = 1_000;

/**
 * Loads a project's stored configuration. The form keeps its own state, so it isn't loaded again by itself. It isn't
 * cached either: a form must not start with a version that is no longer the latest.
 */
export const configurationQuery = (project: string) =>
  queryOptions({
    queryKey: ["configuration", project],
    queryFn: () => api.configuration(project),
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** Caches a saved configuration, unless its page was left. A new entry would outlast it, and be out of date. */
export function cacheSaved(client: QueryClient, project: string, saved: ConfigurationView): void {
  client.setQueryData(configurationQuery(project).queryKey, before => before && saved);
}

/** Loads the names of a project's secrets. */
export const secretsQuery = (project: string) =>
  queryOptions({ queryKey: ["secrets", project], queryFn: () => api.secrets(project) });

/** Loads the project's latest run, which has its site and what the repository configures. Null without one. */
export const latestRunQuery = (project: string) =>
  queryOptions({
    queryKey: ["latest-run", project],
    queryFn: async () => (await api.runs({ project }, 1, null)).data[0] ?? null,
  });

/** Follows a trial until it ends. */
export const trialQuery = (id: string) =>
  queryOptions({
    queryKey: ["trial", id],
    queryFn: async () => {
      const run = await api.run(id);
      const screenshots = run.completedAt === null ? [] : (await api.screenshots(id)).data;
      return { run, screenshots };
    },
    refetchInterval: ({ state }) => (state.data?.run.completedAt ? false : POLL_INTERVAL_MS),
  });
