/**
 * From starting the process to `/ready`: on an empty data directory, and on one that holds a database. Medians.
 *
 *   node bench/start.ts [rounds]
 */
import { Vrs } from "../test/support/vrs.ts";
import { median, megabytesOf } from "./figures.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
/** The project's bar, ms. */
const BAR_MS = 3_000;

const first: number[] = [];
const later: number[] = [];
let megabytes = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  const begun = performance.now();
  const vrs = await Vrs.start();
  first.push(performance.now() - begun);
  try {
    await vrs.terminate();
    const again = performance.now();
    await vrs.start();
    later.push(performance.now() - again);
    megabytes = megabytesOf(vrs.pid).own;
  } finally {
    await vrs.stop();
  }
}
console.log(`start to /ready, ${ROUNDS} rounds (bar ${BAR_MS} ms)`);
console.log(
  `  empty data directory ${median(first).toFixed(0)} ms · existing one ${median(later).toFixed(0)} ms`,
);
console.log(`  resident: ${megabytes} MB`);
