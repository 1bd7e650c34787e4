/** Chance that comes out the same for the same seed. Each actor has its own, so that none depends on another's pace. */
export class Chance {
  #state: number;

  /** @param name tells apart what grows from one seed */
  constructor(seed: number, name: string) {
    this.#state = [...name].reduce((state, char) => Math.imul(state ^ char.charCodeAt(0), 16_777_619), seed);
    this.next();
  }

  /** From 0 up to 1, by mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Whether what happens so often, 0–1, happens now. */
  happens(often: number): boolean {
    return this.next() < often;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** One of these. @throws Error when there is none */
  of<T>(choices: readonly T[]): T {
    const [choice] = choices.slice(this.between(0, choices.length - 1));
    if (choice === undefined) throw new Error("There is nothing to choose from.");
    return choice;
  }

  /** Returns the same things in a drawn order. */
  shuffled<T>(things: readonly T[]): T[] {
    return things
      .map(thing => ({ thing, key: this.next() }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ thing }) => thing);
  }
}
