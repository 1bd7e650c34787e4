import { ServiceError } from "../../../shared/errors.ts";
import { LIMIT_ERRORS } from "../texts/errors.ts";

/** Concurrent exports. Each takes up to 400 MB of memory, and anyone with a link may request one. */
const SAVE_CONCURRENCY = 2;
/** Concurrent requests of one reader for one run, including the running one. */
const MAX_PER_READER = 4;
/** Concurrent requests for one run. Many people may have its link. */
const MAX_PER_RUN = 8;
/** Waiting requests of all runs. */
const MAX_WAITING = 64;
/** Browsers show that they wait. Other clients time out after about 30 seconds. */
const WAIT_TIMEOUT_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;

interface Waiting {
  runId: string;
  acquire: () => void;
}

/**
 * Limits report exports: a few at a time, and one per run. Readers of one report wait only for each other, in the
 * order of their requests.
 */
export class SavedReports {
  readonly #waitTimeoutMs: number;
  readonly #saving = new Set<string>();
  readonly #requests = new Map<string, number>();
  #waiting: Waiting[] = [];

  constructor(waitTimeoutMs = WAIT_TIMEOUT_MS) {
    this.#waitTimeoutMs = waitTimeoutMs;
  }

  /**
   * Counts a request until the returned function is called.
   * @param reader the caller, or the address of a reader with a link
   * @throws ServiceError rate_limited if the reader, or all readers of the run, have too many requests
   */
  admit(runId: string, reader: string): () => void {
    const ofReader = `${runId} ${reader}`;
    if (this.#requestsOf(ofReader) >= MAX_PER_READER || this.#requestsOf(runId) >= MAX_PER_RUN)
      throw new ServiceError("rate_limited", LIMIT_ERRORS.sameReport, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    for (const key of [ofReader, runId]) this.#requests.set(key, this.#requestsOf(key) + 1);
    return once(() => {
      for (const key of [ofReader, runId]) {
        const left = this.#requestsOf(key) - 1;
        if (left > 0) this.#requests.set(key, left);
        else this.#requests.delete(key);
      }
    });
  }

  /**
   * Waits for a free slot for the run, for a limited time.
   * @param gone aborted when the reader disconnects
   * @returns a function that releases the slot
   * @throws ServiceError unavailable after the time limit
   */
  async acquire(runId: string, gone: AbortSignal): Promise<() => void> {
    if (!this.#isFree(runId)) await this.#wait(runId, gone);
    else this.#saving.add(runId);
    return once(() => {
      this.#saving.delete(runId);
      this.#next();
    });
  }

  #requestsOf(key: string): number {
    return this.#requests.get(key) ?? 0;
  }

  #isFree(runId: string): boolean {
    return this.#saving.size < SAVE_CONCURRENCY && !this.#saving.has(runId);
  }

  async #wait(runId: string, gone: AbortSignal): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) throw busyError();
    const slot = Promise.withResolvers<void>();
    const waiting = { runId, acquire: slot.resolve };
    const leave = () => {
      // Removed now, so that an export that ends at the same moment doesn't give it the slot.
      this.#waiting = this.#waiting.filter(other => other !== waiting);
      slot.reject(busyError());
    };
    this.#waiting.push(waiting);
    const timer = setTimeout(leave, this.#waitTimeoutMs);
    gone.addEventListener("abort", leave, { once: true });
    if (gone.aborted) leave();
    try {
      await slot.promise;
    } finally {
      clearTimeout(timer);
      gone.removeEventListener("abort", leave);
    }
  }

  /** Gives the slot to the first request whose run is not being exported. */
  #next(): void {
    const next = this.#waiting.find(({ runId }) => this.#isFree(runId));
    if (!next) return;
    this.#saving.add(next.runId);
    this.#waiting = this.#waiting.filter(other => other !== next);
    next.acquire();
    this.#next();
  }
}

function busyError(): ServiceError {
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
