interface Failure {
  error: unknown;
}

interface Waiting<T> {
  item: T;
  written: PromiseWithResolvers<void>;
}

/** Collects items while the previous batch is written, so that a busy node writes in few statements. */
export class BatchWriter<T> {
  #waiting: Waiting<T>[] = [];
  #writing = false;
  readonly #write: (batch: T[]) => Promise<void>;

  /** @param write writes a batch. It may get an item again after a failure. */
  constructor(write: (batch: T[]) => Promise<void>) {
    this.#write = write;
  }

  /** @returns when this item is written @throws the error of its write */
  add(item: T): Promise<void> {
    const written = Promise.withResolvers<void>();
    this.#waiting.push({ item, written });
    if (!this.#writing) void this.#writeAll();
    return written.promise;
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      // Items that arrive in the same turn of the event loop join the batch.
      await new Promise(setImmediate);
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#writeBatch(batch);
    }
    this.#writing = false;
  }

  async #writeBatch(batch: Waiting<T>[]): Promise<void> {
    const failure = await this.#tryToWrite(batch);
    if (!failure) return;
    // One invalid item must not block the others forever. Writing them one by one shows which it is.
    const [first, second, ...others] = batch;
    if (!first || !second) return rejectAll(batch, failure);
    const failures = [await this.#writeAlone(first), await this.#writeAlone(second)];
    // Two consecutive failures mean that the items aren't the cause.
    if (failures.every(failure => failure !== null)) return rejectAll(others, failure);
    for (const other of others) await this.#writeAlone(other);
  }

  async #writeAlone(one: Waiting<T>): Promise<Failure | null> {
    const failure = await this.#tryToWrite([one]);
    if (failure) rejectAll([one], failure);
    return failure;
  }

  async #tryToWrite(batch: Waiting<T>[]): Promise<Failure | null> {
    try {
      await this.#write(batch.map(({ item }) => item));
      for (const { written } of batch) written.resolve();
      return null;
    } catch (error) {
      return { error };
    }
  }
}

function rejectAll<T>(batch: Waiting<T>[], { error }: Failure): void {
  for (const { written } of batch) written.reject(error);
}
