interface Failure {
  error: unknown;
}

interface Waiting<T> {
  item: T;
  written: PromiseWithResolvers<void>;
}

/** Gathers what comes in while the last batch is being written, so that a busy node writes in few statements. */
export class BatchWriter<T> {
  #waiting: Waiting<T>[] = [];
  #writing = false;
  readonly #write: (batch: T[]) => Promise<void>;

  /** @param write takes an item again that it failed on before */
  constructor(write: (batch: T[]) => Promise<void>) {
    this.#write = write;
  }

  /** @returns when this item has been written @throws what its write threw */
  add(item: T): Promise<void> {
    const written = Promise.withResolvers<void>();
    this.#waiting.push({ item, written });
    if (!this.#writing) void this.#writeAll();
    return written.promise;
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      // What else arrives in this turn of the event loop joins the batch.
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
    // One bad item must not hold up the others for ever: each by itself shows which one it is.
    const [first, second, ...others] = batch;
    if (!first || !second) return rejectAll(batch, failure);
    const failures = [await this.#writeAlone(first), await this.#writeAlone(second)];
    // Two in a row, and it is not the item.
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
