import { LRUCache } from "lru-cache";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";

const MAX_ENTRIES = 1_000;
/** Reviews are broadcast to every node. This bounds how long a lost message matters. */
const TTL_MS = 2_000;

interface Entry {
  teamId: string;
  view: RunView;
}

/** A cache of ended runs as they were last returned. Clients poll them most, and only reviews change them. */
export class EndedRuns {
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES, ttl: TTL_MS });
  #generation = 0;

  /** Number of deletions. Read it before reading a run, and pass it to `store`. */
  get generation(): number {
    return this.#generation;
  }

  get(teamId: string, id: string): RunView | null {
    const entry = this.#entries.get(id);
    return entry?.teamId === teamId ? entry.view : null;
  }

  /**
   * Stores a run if it has ended. Skips it if any run was deleted while it was read, because it may have been this one.
   */
  store(teamId: string, view: RunView, generation: number): void {
    if (view.completedAt === null || generation !== this.#generation) return;
    this.#entries.set(view.id, { teamId, view });
  }

  delete(id: string): void {
    this.#entries.delete(id);
    this.#generation += 1;
  }
}
