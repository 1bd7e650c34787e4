import type { RunView } from "../../../shared/contracts/runs/runs.ts";

const MAX_ENTRIES = 1_000;
/** Reviews are broadcast to every node. This bounds how long a lost message matters. */
const TTL_MS = 2_000;

interface Entry {
  teamId: string;
  view: RunView;
  untilMs: number;
}

/** A cache of ended runs as they were last returned. Clients poll them most, and only reviews change them. */
export class EndedRuns {
  readonly #entries = new Map<string, Entry>();
  #generation = 0;

  /** Number of deletions. Read it before reading a run, and pass it to `store`. */
  get generation(): number {
    return this.#generation;
  }

  get(teamId: string, id: string): RunView | null {
    const entry = this.#entries.get(id);
    return entry && entry.teamId === teamId && entry.untilMs > Date.now() ? entry.view : null;
  }

  /**
   * Stores a run if it has ended. Skips it if any run was deleted while it was read, because it may have been this one.
   */
  store(teamId: string, view: RunView, generation: number): void {
    if (view.completedAt === null || generation !== this.#generation) return;
    this.#entries.delete(view.id);
    this.#entries.set(view.id, { teamId, view, untilMs: Date.now() + TTL_MS });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(id: string): void {
    this.#entries.delete(id);
    this.#generation += 1;
  }
}
