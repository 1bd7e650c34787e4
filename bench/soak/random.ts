/**
 * A random source with the same results for the same seed. Each actor has its own, so that none depends on another's
 * pace.
 */
export class Random {
  #state: number;

  /** @param name distinguishes the sources of one seed */
  constructor(seed: number, name: string) {
    this.#state = [...name].reduce((state, char) => Math.imul(state ^ char.charCodeAt(0), 16_777_619), seed);
    this.next();
  }

  /** Returns a number from 0 up to 1, by mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns whether an event of this probability, 0–1, happens now. */
  happens(often: number): boolean {
    return this.next() < often;
  }

  /** Returns a whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** Returns one of these. @throws Error when there is none */
  of<T>(choices: readonly T[]): T {
    const [choice] = choices.slice(this.between(0, choices.length - 1));
    if (choice === undefined) throw new Error("There is nothing to choose from.");
    return choice;
  }

  /** Returns the same items in a drawn order. */
  shuffled<T>(things: readonly T[]): T[] {
    return things
      .map(thing => ({ thing, key: this.next() }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ thing }) => thing);
  }
}
