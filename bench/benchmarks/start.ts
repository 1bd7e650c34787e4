/**
 * Measures the time from starting the process to `/ready`, on a data directory with an empty database and on one in
 * use.
 *
 * node bench/benchmarks/start.ts [pairs] [--quick]
 */
import { EMBEDDED } from "../../test/support/databases/databases.ts";
import { Vrs } from "../../test/support/drivers/vrs.ts";
import { type Measurement, measureOf } from "../support/figures.ts";
import { timedWithMemory } from "../support/memory.ts";
import { readOptions } from "../support/options.ts";
import { publish } from "../support/publish.ts";

const { pairs: rounds, quick } = readOptions({ pairs: 5, quickPairs: 1 });
/** The project's bar. */
const BAR = { is: "at most", value: 3_000 } as const;

const first: Measurement[] = [];
const later: Measurement[] = [];
// The first start compiles what later ones reuse.
for (let round = 0; round <= rounds; round += 1) {
  let vrs: Vrs | undefined;
  const pids = () => (vrs ? [vrs.pid] : []);
  const one = await timedWithMemory(pids, async () => {
    vrs = await Vrs.start({}, EMBEDDED);
  });
  if (!vrs) throw new Error("vrs did not start.");
  const started: Vrs = vrs;
  try {
    await started.terminate();
    vrs = undefined;
    const again = await timedWithMemory(pids, async () => {
      await started.start();
      vrs = started;
    });
    if (round === 0) continue;
    first.push(one);
    later.push(again);
  } finally {
    await started.stop();
  }
}
await publish({
  name: "start",
  title: "Starting the service",
  how: "The time runs from the start of the process until `/ready` answers. The process has all services and the embedded database.",
  quick,
  withBrowser: false,
  measures: [
    measureOf({ title: "first start, with new tables", unit: "ms", bar: BAR }, first),
    measureOf({ title: "start after a clean stop", unit: "ms", bar: BAR }, later),
  ],
});
