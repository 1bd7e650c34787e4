import type { RunView } from "../../../shared/contracts/runs/runs.ts";

const MAX_ENTRIES = 1_000;
/** A review is told to every node at once; this bounds the case that the message got lost. */
const TTL_MS = 2_000;

interface Entry {
  teamId: string;
  view: RunView;
  untilMs: number;
}

/** Runs that have ended, as they were answered last: what is polled most changes no more, but by a review. */
export class EndedRuns {
  readonly #entries = new Map<string, Entry>();
  #generation = 0;

  /** Counts what was forgotten: to be taken before a run is read, and handed to `keep`. */
  get generation(): number {
    return this.#generation;
  }

  get(teamId: string, id: string): RunView | null {
    const entry = this.#entries.get(id);
    return entry && entry.teamId === teamId && entry.untilMs > Date.now() ? entry.view : null;
  }

  /** Remembers a run, if it has ended, and unless something was forgotten while it was read: it may have been this one. */
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
