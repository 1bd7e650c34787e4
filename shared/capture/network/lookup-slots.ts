/** Maximum number of lookups of one context. */
const CONTEXT_LOOKUPS = 2;
/** Threads of a process that sets none, see Node's documentation of UV_THREADPOOL_SIZE. */
const DEFAULT_THREADS = 4;

/** What a context uses of the slots. */
interface SlotUse {
  running: number;
  waiting: PromiseWithResolvers<void>[];
}

/**
 * Slots for the lookups of all contexts of a process. A name whose servers don't respond holds its slot for many
 * seconds, so a context never gets the last slot in addition to another one. Contexts take turns.
 */
export class LookupSlots {
  #free: number;
  /** The context that waits longest for its turn comes first. */
  readonly #uses = new Map<object, SlotUse>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for a slot. @throws the error of `refuse` */
  async acquire(context: object): Promise<void> {
    const use = this.#uses.get(context) ?? { running: 0, waiting: [] };
    this.#uses.set(context, use);
    const slot = Promise.withResolvers<void>();
    use.waiting.push(slot);
    this.#assign();
    await slot.promise;
  }

  release(context: object): void {
    const use = this.#uses.get(context);
    if (use === undefined) return;
    use.running -= 1;
    this.#free += 1;
    this.#putLast(context, use);
    this.#assign();
  }

  /** Ends the wait of a context. */
  refuse(context: object, error: Error): void {
    const use = this.#uses.get(context);
    if (use === undefined) return;
    for (const slot of use.waiting.splice(0)) slot.reject(error);
    this.#putLast(context, use);
  }

  #assign(): void {
    for (const [context, use] of this.#uses) {
      if (!this.#mayRun(use)) continue;
      use.running += 1;
      this.#free -= 1;
      use.waiting.shift()?.resolve();
      // The loop reaches it again.
      this.#putLast(context, use);
    }
  }

  #mayRun({ running, waiting }: SlotUse): boolean {
    if (waiting.length === 0) return false;
    return running === 0 ? this.#free > 0 : running < CONTEXT_LOOKUPS && this.#free > 1;
  }

  #putLast(context: object, use: SlotUse): void {
    this.#uses.delete(context);
    if (use.running > 0 || use.waiting.length > 0) this.#uses.set(context, use);
  }
}

/**
 * Returns how many lookups of pages the process runs at the same time. libuv gives lookups half of its threads. The
 * node's own lookups, such as of its database, keep one of them.
 * @param threads UV_THREADPOOL_SIZE
 */
export function lookupCount(threads: string | undefined): number {
  const set = Number.parseInt(threads ?? "", 10);
  const lookups = Math.ceil((set > 0 ? set : DEFAULT_THREADS) / 2);
  return Math.max(2, lookups - 1);
}
