import { parseArgs } from "node:util";

/** The options of `npm run demo`. */
export interface DemoOptions {
  help: boolean;
  /** Whether the demo ends after the comparison. */
  exit: boolean;
}

/** Reads the arguments. @throws TypeError that names an unknown argument */
export function readDemoOptions(args: string[]): DemoOptions {
  const { help = false, exit = false } = parseArgs({
    args,
    options: { help: { type: "boolean", short: "h" }, exit: { type: "boolean" } },
  }).values;
  return { help, exit };
}
