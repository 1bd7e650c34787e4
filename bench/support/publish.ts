import { type Figures, figures } from "./figures.ts";
import { linesOf } from "./format.ts";
import { describeMachine } from "./machine.ts";

/** A bench's figures before they are told where they were taken; what it has none of may be left out. */
type Draft = Pick<Figures, "name" | "title" | "how" | "quick"> &
  Partial<Pick<Figures, "comparisons" | "measures" | "counts" | "breakdowns" | "curves" | "notes">> & {
    withBrowser: boolean;
  };

/** Shows a bench's figures, and hands them to `npm run bench` when that has started it. */
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
