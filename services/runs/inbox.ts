/** Gathers what comes in while the last batch is being written, so that a busy node writes in few statements. */
export class Inbox<T> {
  #waiting: T[] = [];
  #writing: Promise<void> | null = null;
  readonly #write: (batch: T[]) => Promise<void>;

  /** @param write must not throw */
  constructor(write: (batch: T[]) => Promise<void>) {
    this.#write = write;
  }

  /** @returns when this item has been written */
  async add(item: T): Promise<void> {
    this.#waiting.push(item);
    while (this.#waiting.includes(item)) await this.#next();
  }

  /** When everything has been written. */
  async drain(): Promise<void> {
    while (this.#writing || this.#waiting.length > 0) await this.#next();
  }

  /** When the batch under way, or else the next one, is written. */
  #next(): Promise<void> {
    this.#writing ??= this.#writeAll();
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    // What else arrives in this turn of the event loop joins the batch.
    await new Promise(setImmediate);
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      await this.#write(batch);
    } finally {
      this.#writing = null;
    }
  }
}
