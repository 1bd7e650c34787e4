/** Bounded background work of a caller. Added promises must not reject. */
export class Backlog {
  readonly #limit: number;
  readonly #open = new Set<Promise<unknown>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds work, and waits until there is room for more. */
  async add(work: Promise<unknown>): Promise<void> {
    const open = work.finally(() => this.#open.delete(open));
    this.#open.add(open);
    while (this.#open.size >= this.#limit) await Promise.race(this.#open);
  }

  /** Waits until all work is done. */
  async done(): Promise<void> {
    await Promise.all(this.#open);
  }
}
