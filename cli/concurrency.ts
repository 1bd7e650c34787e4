/** Runs the work for each value with bounded concurrency. Returns the outcomes in the order of the values. */
export async function mapBounded<T, R>(
  values: readonly T[],
  concurrency: number,
  work: (value: T, index: number) => Promise<R>,
): Promise<R[]> {
  const outcomes: R[] = [];
  const left = values.entries();
  const worker = async () => {
    for (const [index, value] of left) outcomes[index] = await work(value, index);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, values.length) }, worker));
  return outcomes;
}

/** Bounded background work of a caller. Added promises must not reject. */
export class Backlog {
  readonly #limit: number;
  readonly #pending = new Set<Promise<unknown>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds work, and waits until there is room for more. */
  async add(work: Promise<unknown>): Promise<void> {
    const pending = work.finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
    while (this.#pending.size >= this.#limit) await Promise.race(this.#pending);
  }

  /** Waits until all work is done. */
  async done(): Promise<void> {
    await Promise.all(this.#pending);
  }
}
