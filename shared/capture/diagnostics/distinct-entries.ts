import { DIAGNOSTICS_BOUNDS } from "../../contracts/capture/diagnostics.ts";

/** Characters that are kept of a text until its secrets are masked. A secret that this splits is not shown. */
export const RAW_CHARS = 20 * DIAGNOSTICS_BOUNDS.chars;

/** Entries, and the number of dropped ones. */
export interface ListedEntries<T> {
  entries: T[];
  dropped: number;
}

/** Collects the first different entries, and counts the repeated and the dropped ones. */
export class DistinctEntries<T extends object> {
  readonly #known = new Map<string, { entry: T; times: number }>();
  #dropped = 0;

  add(entry: T): void {
    const key = JSON.stringify(entry);
    const known = this.#known.get(key);
    if (known !== undefined) known.times++;
    else if (this.#known.size < DIAGNOSTICS_BOUNDS.entries) this.#known.set(key, { entry, times: 1 });
    else this.#dropped++;
  }

  clear(): void {
    this.#known.clear();
    this.#dropped = 0;
  }

  /** Returns the entries, each with how often it happened. */
  list(): ListedEntries<T & { times: number }> {
    const entries = [...this.#known.values()].map(({ entry, times }) => ({ ...entry, times }));
    return { entries, dropped: this.#dropped };
  }
}
