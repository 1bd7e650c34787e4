import { type Figures, figures } from "./figures.ts";
import { linesOf } from "./format.ts";
import { describeMachine } from "./machine.ts";

/** A benchmark's figures before the machine is added. Empty lists may be omitted. */
type Draft = Pick<Figures, "name" | "title" | "how" | "quick"> &
  Partial<Pick<Figures, "comparisons" | "measures" | "counts" | "breakdowns" | "curves" | "notes">> & {
    withBrowser: boolean;
  };

/** Prints a benchmark's figures, and sends them to `npm run bench` when that has started it. */
export async function publish({ withBrowser, ...draft }: Draft): Promise<void> {
  const machine = await describeMachine({ withBrowser });
  const whole = figures.parse({
    comparisons: [],
    measures: [],
    counts: [],
    breakdowns: [],
    curves: [],
    notes: [],
    ...draft,
    machine,
  } satisfies Figures);
  for (const line of linesOf(whole)) console.log(line);
  process.send?.(whole);
}
