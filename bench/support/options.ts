import { parseArgs } from "node:util";

/** Options of a benchmark: `[pairs] [--quick]`. */
export interface Options {
  pairs: number;
  quick: boolean;
}

/**
 * Reads the command line. A quick run has fewer pairs than quotable figures need.
 * @throws Error when the number of pairs is invalid
 */
export function readOptions(usual: { pairs: number; quickPairs: number }): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: "boolean", default: false } },
  });
  const pairs = Number(positionals[0] ?? (values.quick ? usual.quickPairs : usual.pairs));
  if (!Number.isInteger(pairs) || pairs < 1)
    throw new Error("The number of pairs is a whole number above 0.");
  return { pairs, quick: values.quick || pairs < usual.pairs };
}
