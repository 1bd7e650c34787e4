import type { RunView } from "../../../shared/contracts/runs/runs.ts";

const REMEMBERED = 1_000;
/** A review is told to every node at once; this bounds the case that the message got lost. */
const BELIEVED_MS = 2_000;

interface Entry {
  teamId: string;
  view: RunView;
  untilMs: number;
}

/** Runs that have ended, as they were answered last: what is polled most changes no more, but by a review. */
export class EndedRuns {
  readonly #entries = new Map<string, Entry>();
  #forgotten = 0;

  /** Counts what was forgotten: to be taken before a run is read, and handed to `keep`. */
  get forgotten(): number {
    return this.#forgotten;
  }

  get(teamId: string, id: string): RunView | null {
    const entry = this.#entries.get(id);
    return entry && entry.teamId === teamId && entry.untilMs > Date.now() ? entry.view : null;
  }

  /** Remembers a run, if it has ended, and unless something was forgotten while it was read: it may have been this one. */
  keep(teamId: string, view: RunView, forgottenBefore: number): void {
    if (view.completedAt === null || forgottenBefore !== this.#forgotten) return;
    this.#entries.delete(view.id);
    this.#entries.set(view.id, { teamId, view, untilMs: Date.now() + BELIEVED_MS });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > REMEMBERED && oldest !== undefined) this.#entries.delete(oldest);
  }

  forget(id: string): void {
    this.#entries.delete(id);
    this.#forgotten += 1;
  }
}
