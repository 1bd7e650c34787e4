/**
 * Runs the work for each value with bounded concurrency. Returns the outcomes in the order of the values.
 * @throws the first error of the work, once no work runs. After an error, no other work starts
 */
export async function mapBounded<T, R>(
  values: readonly T[],
  concurrency: number,
  work: (value: T, index: number) => Promise<R>,
): Promise<R[]> {
  const outcomes: R[] = [];
  const left = values.entries();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const [index, value] of left) {
      if (failures.length > 0) return;
      try {
        outcomes[index] = await work(value, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, values.length) }, worker));
  if (failures.length > 0) throw failures[0];
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

/** Work that waits for a bounded number of slots. */
export class Slots {
  #free: number;
  readonly #urgent: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs work in the next free slot, in order. Urgent work comes before all that waits. */
  async run<T>(work: () => Promise<T>, { isUrgent = false } = {}): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>(resolve => (isUrgent ? this.#urgent : this.#waiting).push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#urgent.shift() ?? this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
