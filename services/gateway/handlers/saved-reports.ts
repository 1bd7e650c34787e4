import { ServiceError } from "../../../shared/errors.ts";
import { LIMIT_ERRORS } from "../texts.ts";

/** Files put together or on their way at once: each is some 400 MB of memory at its peak, and link holders may ask. */
const SAVED_AT_ONCE = 2;
/** Requests of one reader for one run at once, the one that is being answered included. */
const OF_A_READER = 4;
/** Of one run, by whomever: its link may be known to many. */
const OF_A_RUN = 8;
/** Of all runs. */
const WAITING_AT_MOST = 64;
/** A browser shows that it waits; other clients give up after half a minute. */
const WAITS_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;

interface Waiting {
  runId: string;
  begin: () => void;
}

/**
 * Lets reports be saved as files, a few at a time and one of a run: readers of one report wait for each other, and
 * nobody else does. Those that wait come in the order in which they asked.
 */
export class SavedReports {
  readonly #waitsMs: number;
  readonly #saving = new Set<string>();
  readonly #asked = new Map<string, number>();
  #waiting: Waiting[] = [];

  constructor(waitsMs = WAITS_MS) {
    this.#waitsMs = waitsMs;
  }

  /**
   * Counts a request until the returned function is called.
   * @param reader who asks: a caller, or an address that has the link
   * @throws ServiceError rate_limited where the reader, or the run's readers together, have asked too often already
   */
  admit(runId: string, reader: string): () => void {
    const ofReader = `${runId} ${reader}`;
    if (this.#askedFor(ofReader) >= OF_A_READER || this.#askedFor(runId) >= OF_A_RUN)
      throw new ServiceError("rate_limited", LIMIT_ERRORS.sameReport, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    for (const key of [ofReader, runId]) this.#asked.set(key, this.#askedFor(key) + 1);
    return once(() => {
      for (const key of [ofReader, runId]) {
        const left = this.#askedFor(key) - 1;
        if (left > 0) this.#asked.set(key, left);
        else this.#asked.delete(key);
      }
    });
  }

  /**
   * Waits for the run's turn, for a bounded time.
   * @param gone aborted when the reader goes away
   * @returns what ends the turn
   * @throws ServiceError unavailable where others take too long
   */
  async begin(runId: string, gone: AbortSignal): Promise<() => void> {
    if (!this.#isFree(runId)) await this.#wait(runId, gone);
    else this.#saving.add(runId);
    return once(() => {
      this.#saving.delete(runId);
      this.#next();
    });
  }

  #askedFor(key: string): number {
    return this.#asked.get(key) ?? 0;
  }

  #isFree(runId: string): boolean {
    return this.#saving.size < SAVED_AT_ONCE && !this.#saving.has(runId);
  }

  async #wait(runId: string, gone: AbortSignal): Promise<void> {
    if (this.#waiting.length >= WAITING_AT_MOST) throw others();
    const turn = Promise.withResolvers<void>();
    const waiting = { runId, begin: turn.resolve };
    const leave = () => {
      // At once: what ends in the same moment must not give it the turn.
      this.#waiting = this.#waiting.filter(other => other !== waiting);
      turn.reject(others());
    };
    this.#waiting.push(waiting);
    const timer = setTimeout(leave, this.#waitsMs);
    gone.addEventListener("abort", leave, { once: true });
    if (gone.aborted) leave();
    try {
      await turn.promise;
    } finally {
      clearTimeout(timer);
      gone.removeEventListener("abort", leave);
    }
  }

  /** Gives the turn to the first whose run is not being saved. */
  #next(): void {
    const next = this.#waiting.find(({ runId }) => this.#isFree(runId));
    if (!next) return;
    this.#saving.add(next.runId);
    this.#waiting = this.#waiting.filter(other => other !== next);
    next.begin();
    this.#next();
  }
}

function others(): ServiceError {
  return new ServiceError("unavailable", LIMIT_ERRORS.otherReports, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
