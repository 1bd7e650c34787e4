import type { Measurement } from "./figures.ts";
import { amount } from "./format.ts";

/** A contestant that does the work once and returns the measurement. */
export interface Contestant {
  name: string;
  measure: () => Promise<Measurement>;
}

/** The measurements by contestant, one per round. */
export interface PairedRounds {
  of(name: string): { name: string; measurements: Measurement[] };
}

/**
 * Runs all contestants on the same work in rounds. Another one starts each round, so that changes on the machine affect
 * all of them alike. Warm-up measurements do not count.
 */
export async function runPairedRounds(
  contestants: Contestant[],
  { pairs, warmUps = 1, quiet = false }: { pairs: number; warmUps?: number; quiet?: boolean },
): Promise<PairedRounds> {
  const measurements = new Map<string, Measurement[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < warmUps + pairs; round += 1) {
    const first = round % contestants.length;
    const lines: string[] = [];
    for (const { name, measure } of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      const one = await measure();
      if (round >= warmUps) measurements.get(name)?.push(one);
      lines.push(`${name} ${amount(one.value)}`);
    }
    if (!quiet)
      console.log(
        `  ${round < warmUps ? "warm-up" : `round ${round - warmUps + 1} of ${pairs}`}: ${lines.join(" · ")}`,
      );
  }
  return {
    of(name) {
      const own = measurements.get(name);
      if (!own) throw new Error(`${name} had no rounds.`);
      return { name, measurements: own };
    },
  };
}
