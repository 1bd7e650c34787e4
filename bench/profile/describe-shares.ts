import type { Breakdown } from "../support/figures.ts";
import type { RecordedCapture } from "./recording.ts";
import { SHARES, type Share } from "./shares.ts";

/** Formats slot time by share as a table. Rows are in the order of `SHARES`, and the last one is their sum. */
export function sharesTable(
  slotUs: ReadonlyMap<Share, number>,
  processorUs: ReadonlyMap<Share, number>,
  screenshots: number,
): Breakdown {
  const wholeUs = sumOf(slotUs.values());
  const perScreenshot = (us: number | undefined) => (us === undefined ? null : us / 1_000 / screenshots);
  const rows = Object.entries(SHARES).map(([share, name]) => {
    const us = [...slotUs].find(([found]) => found === share)?.[1] ?? 0;
    const processor = [...processorUs].find(([found]) => found === share)?.[1];
    return { name, values: [(100 * us) / wholeUs, us / 1_000 / screenshots, perScreenshot(processor)] };
  });
  const whole = [100, wholeUs / 1_000 / screenshots, sumOf(processorUs.values()) / 1_000 / screenshots];
  return {
    title: "share",
    columns: ["% of slot time", "ms per screenshot", "processor, ms per screenshot"],
    rows: [...rows, { name: "all", values: whole }],
  };
}

/** Formats the engine's own timings of its steps as a table. */
export function stepsTable(captures: readonly RecordedCapture[], wholeUs: number): Breakdown {
  const steps = Map.groupBy(
    captures.flatMap(capture => capture.steps),
    ({ step }) => step,
  );
  return {
    title: "step of a capture",
    columns: ["% of slot time", "ms per screenshot"],
    rows: [...steps].map(([name, spans]) => {
      const us = sumOf(spans.map(({ startUs, endUs }) => endUs - startUs));
      return { name, values: [(100 * us) / wholeUs, us / 1_000 / captures.length] };
    }),
  };
}

function sumOf(values: Iterable<number>): number {
  return [...values].reduce((sum, value) => sum + value, 0);
}
