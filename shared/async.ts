/** Returns the result of work, or null after this long, ms. The work continues after that. Rejects if it rejects in time. */
export async function resultWithin<T>(work: Promise<T>, timeoutMs: number): Promise<T | null> {
  const overdue = Promise.withResolvers<null>();
  const timer = setTimeout(() => overdue.resolve(null), Math.max(0, timeoutMs));
  try {
    return await Promise.race([work, overdue.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns whether work ends within this long, ms. The work continues after that. Rejects if it rejects in time. */
export async function endsWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  return (
    (await resultWithin(
      work.then(() => true),
      timeoutMs,
    )) === true
  );
}

/** Runs work whose signal aborts after this long, ms. @returns whether it ended in time. Rejects if it rejects in time. */
export async function runWithin(
  work: (signal: AbortSignal) => Promise<unknown>,
  timeoutMs: number,
): Promise<boolean> {
  const overdue = new AbortController();
  const isInTime = await endsWithin(work(overdue.signal), timeoutMs);
  if (!isInTime) overdue.abort();
  return isInTime;
}

/** Waits for `work` at most `timeoutMs`. @throws the error that `late` returns */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> {
  const overdue = Promise.withResolvers<never>();
  const timer = setTimeout(() => overdue.reject(late()), Math.max(0, timeoutMs));
  try {
    return await Promise.race([work, overdue.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Processes items in batches, each batch concurrently. The first failure ends it. */
export async function forEachBatch<T>(
  items: T[],
  batchSize: number,
  process: (item: T) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += batchSize)
    await Promise.all(items.slice(at, at + batchSize).map(process));
}

/**
 * Processes items one after another. A failed item is reported and doesn't stop the others. Two failures in a row are
 * not the items' own: the rest isn't processed.
 * @throws the second of two failures in a row
 */
export async function forEachIsolated<T>(
  items: Iterable<T>,
  process: (item: T) => Promise<unknown>,
  onFailure: (error: unknown, item: T) => void,
): Promise<void> {
  let hasFailedBefore = false;
  for (const item of items) {
    try {
      await process(item);
      hasFailedBefore = false;
    } catch (error) {
      if (hasFailedBefore) throw error;
      hasFailedBefore = true;
      onFailure(error, item);
    }
  }
}

/** Processes all items, at most so many at a time. A failed item is reported and doesn't stop the others. */
export async function forEachConcurrently<T>(
  items: T[],
  concurrency: number,
  process: (item: T) => Promise<unknown>,
  onFailure: (error: unknown, item: T) => void,
): Promise<void> {
  const waiting = [...items];
  const processNext = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const next = item;
      await process(next).catch(error => onFailure(error, next));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, processNext));
}

/** Runs work once at a time for each key. All requests during a run share the next run. */
export class SingleFlight {
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();

  /** @returns when a run that started after this call is done @throws what the work throws */
  run(key: string, work: () => Promise<void>): Promise<void> {
    const next = this.#next.get(key);
    if (next) return next;
    const running = this.#running.get(key);
    if (!running) return this.#start(key, work);
    const queued = this.#startAfter(running, key, work);
    this.#next.set(key, queued);
    return queued;
  }

  #start(key: string, work: () => Promise<void>): Promise<void> {
    const started = work().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }

  async #startAfter(running: Promise<void>, key: string, work: () => Promise<void>): Promise<void> {
    await running.catch(() => {});
    this.#next.delete(key);
    return this.#start(key, work);
  }
}
