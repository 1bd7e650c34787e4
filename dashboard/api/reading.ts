import type { QueryClient, QueryFilters } from "@tanstack/react-query";

/** So many times as long as a reading took passes before the next: a slow service is not kept busy by its readers. */
const REST_PER_READING = 2;
/** Also where a reading seemed to take hours, as on a laptop that slept meanwhile. */
const REST_AT_MOST_MS = 10_000;

/** Something that is read again when it may have changed: never twice at once, and once more for all that came meanwhile. */
export class Reading {
  readonly #read: () => Promise<unknown>;
  #isBusy = false;
  #isAsked = false;

  constructor(read: () => Promise<unknown>) {
    this.#read = read;
  }

  /** Reads now, or as soon as the reading that is under way is over. */
  soon(): void {
    this.#isAsked = true;
    if (!this.#isBusy) void this.#go();
  }

  async #go(): Promise<void> {
    this.#isBusy = true;
    while (this.#isAsked) {
      this.#isAsked = false;
      const began = Date.now();
      // What cannot be read says so where it is shown.
      await this.#read().catch(() => {});
      await new Promise(resolve => setTimeout(resolve, restMs(Date.now() - began)));
    }
    this.#isBusy = false;
  }
}

/** How long to rest after a reading that took so long. */
export function restMs(tookMs: number): number {
  return Math.min(REST_PER_READING * tookMs, REST_AT_MOST_MS);
}

/** Reads these again, and what is just being read for the first time once more after that: it may be of before. */
export async function readAgain(client: QueryClient, meant: QueryFilters): Promise<void> {
  const first = client
    .getQueryCache()
    .findAll({ ...meant, fetchStatus: "fetching" })
    .filter(({ state }) => state.data === undefined);
  await client.invalidateQueries(meant);
  if (first.length > 0) await client.invalidateQueries({ predicate: query => first.includes(query) });
}
