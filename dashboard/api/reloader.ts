import type { QueryClient, QueryFilters } from "@tanstack/react-query";

/** The pause as a multiple of the loading time, so that readers don't overload a slow service. */
const REST_PER_LOAD = 2;
/** Also if loading seemed to take hours, as on a laptop that slept. */
const REST_AT_MOST_MS = 10_000;

/**
 * Data that is reloaded when it may have changed: never twice at the same time, and once for several
 * requests.
 */
export class Reloader {
  readonly #read: () => Promise<unknown>;
  #isBusy = false;
  #isRequested = false;

  constructor(read: () => Promise<unknown>) {
    this.#read = read;
  }

  /** Loads now, or as soon as the current loading ends. */
  soon(): void {
    this.#isRequested = true;
    if (!this.#isBusy) void this.#go();
  }

  async #go(): Promise<void> {
    this.#isBusy = true;
    while (this.#isRequested) {
      this.#isRequested = false;
      const began = Date.now();
      // Errors are shown in place of the data.
      await this.#read().catch(() => {});
      await new Promise(resolve => setTimeout(resolve, restMs(Date.now() - began)));
    }
    this.#isBusy = false;
  }
}

/** Returns the pause after a loading time. */
export function restMs(tookMs: number): number {
  return Math.min(REST_PER_LOAD * tookMs, REST_AT_MOST_MS);
}

/** Reloads these queries. A first load in progress is repeated afterward, since it may be outdated. */
export async function reloadQueries(client: QueryClient, filters: QueryFilters): Promise<void> {
  const first = client
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: "fetching" })
    .filter(({ state }) => state.data === undefined);
  await client.invalidateQueries(filters);
  if (first.length > 0) await client.invalidateQueries({ predicate: query => first.includes(query) });
}
