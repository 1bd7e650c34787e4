import { parseArgs } from "node:util";
import { COMPONENTS, type KitComponent } from "./components.ts";
import { STORIES_OF_COMPONENT } from "./make-library.ts";

/** How much the bench does. */
export interface Scale {
  /** Rounds in which all contestants run. */
  pairs: number;
  components: readonly KitComponent[];
  /** Checks by vrs in which false changes are counted. */
  repeats: number;
  /** Whether it is less than quotable figures need. */
  quick: boolean;
}

const FULL = { pairs: 3, stories: 500, repeats: 10 };
const QUICK = { pairs: 1, stories: 100, repeats: 2 };

/** Reads the command line: `[pairs] [--quick] [--stories 500] [--repeats 10]`. @throws Error for another number */
export function readScale(): Scale {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      stories: { type: "string" },
      repeats: { type: "string" },
    },
  });
  const usual = values.quick ? QUICK : FULL;
  const pairs = numberOf("pairs", positionals[0], usual.pairs);
  const stories = numberOf("stories", values.stories, usual.stories);
  const repeats = numberOf("repeats", values.repeats, usual.repeats);
  const count = Math.ceil(stories / STORIES_OF_COMPONENT);
  // The one that changes is always among them.
  const [button, ...others] = COMPONENTS.toSorted(
    (a, b) => Number(b.name === CHANGED) - Number(a.name === CHANGED),
  );
  const components = [...(button ? [button] : []), ...others].slice(0, count);
  const isFull = pairs >= FULL.pairs && stories >= FULL.stories && repeats >= FULL.repeats;
  return { pairs, components, repeats, quick: !isFull };
}

/** The component that the other build changes. */
export const CHANGED = "Button";

function numberOf(name: string, given: string | undefined, usual: number): number {
  const number = given === undefined ? usual : Number(given);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`The number of ${name} is a whole number above 0.`);
  return number;
}
