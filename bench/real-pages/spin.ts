/** Keeps one core busy until the process that started it stops it or ends. */

const SLICE_MS = 50;
/** A process that was left behind ends after this time. */
const MAX_RUN_MS = 6 * 60 * 60_000;
const start = performance.now();

function spin(): void {
  const sliceEnd = performance.now() + SLICE_MS;
  while (performance.now() < sliceEnd);
  if (process.connected && sliceEnd - start < MAX_RUN_MS) setImmediate(spin);
}

process.once("disconnect", () => process.exit());
process.send?.("spinning");
spin();
