import type { Taken } from "./figures.ts";
import { amount } from "./format.ts";

/** A contestant that does the work once and returns the measurement. */
export interface Contestant {
  name: string;
  take: () => Promise<Taken>;
}

/** The measurements by contestant, one per round. */
export interface PairedRounds {
  of(name: string): { name: string; taken: Taken[] };
}

/**
 * Runs all contestants on the same work in rounds. Another one starts each round, so that changes on the machine affect
 * all of them alike. Warm-up measurements do not count.
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
