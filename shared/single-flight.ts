/** Work that is asked for often and done once at a time for each key: all who ask while it is done share the next time. */
export class SingleFlight {
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();

  /** @returns when the work has been done, from after this call on @throws what the work threw */
  take(key: string, work: () => Promise<void>): Promise<void> {
    const waiting = this.#next.get(key);
    if (waiting) return waiting;
    const underWay = this.#underWay.get(key);
    if (!underWay) return this.#begin(key, work);
    const next = this.#after(underWay, key, work);
    this.#next.set(key, next);
    return next;
  }

  #begin(key: string, work: () => Promise<void>): Promise<void> {
    const begun = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, begun);
    return begun;
  }

  async #after(underWay: Promise<void>, key: string, work: () => Promise<void>): Promise<void> {
    await underWay.catch(() => {});
    this.#next.delete(key);
    return this.#begin(key, work);
  }
}
