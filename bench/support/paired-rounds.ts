import type { Taken } from "./figures.ts";
import { amount } from "./format.ts";

/** One that does the work once and says what it took. */
export interface Contestant {
  name: string;
  take: () => Promise<Taken>;
}

/** What each took, under its name, a value for each round. */
export interface PairedRounds {
  of(name: string): { name: string; taken: Taken[] };
}

/**
 * Lets all do the same work in rounds, each round begun by another one, so that what changes on the machine meanwhile
 * meets all alike. What is taken while they warm up does not count.
 */
export async function takePairedRounds(
  contestants: Contestant[],
  { pairs, warmUps = 1, quiet = false }: { pairs: number; warmUps?: number; quiet?: boolean },
): Promise<PairedRounds> {
  const taken = new Map<string, Taken[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < warmUps + pairs; round += 1) {
    const first = round % contestants.length;
    const said: string[] = [];
    for (const { name, take } of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      const one = await take();
      if (round >= warmUps) taken.get(name)?.push(one);
      said.push(`${name} ${amount(one.value)}`);
    }
    if (!quiet)
      console.log(
        `  ${round < warmUps ? "warm-up" : `round ${round - warmUps + 1} of ${pairs}`}: ${said.join(" · ")}`,
      );
  }
  return {
    of(name) {
      const own = taken.get(name);
      if (!own) throw new Error(`${name} had no turns.`);
      return { name, taken: own };
    },
  };
}
