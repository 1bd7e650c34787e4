/**
 * Shares a read among all that ask for it while it runs, so that any number of readers costs one read at a time.
 */
export class SharedReads<Result> {
  readonly #running = new Map<string, Promise<Result>>();

  /** @throws what the read throws */
  share(key: string, read: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(key);
    if (running) return running;
    const started = read().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }
}
