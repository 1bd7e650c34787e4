/** What is being told to others, while nobody but a node that stops waits for it. */
export class PendingEvents {
  readonly #underWay = new Set<Promise<void>>();

  /** @param telling one of the bus, which never rejects */
  add(telling: Promise<void>): void {
    this.#underWay.add(telling);
    void telling.finally(() => this.#underWay.delete(telling));
  }

  /** @returns when all that is being told now has been */
  async told(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
