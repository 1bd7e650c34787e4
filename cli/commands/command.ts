import type { Command } from "commander";
import type { ExitCode, Terminal } from "../terminal.ts";
import { PROGRAM_HELP } from "../texts/help.ts";

/** Options of every command, given before or after its name. */
export interface GlobalOptions {
  /** Whether to print the result as JSON, and nothing else, on standard output. */
  json: boolean;
  /** Whether to print only changes and errors. */
  quiet: boolean;
  /** Whether to print details. */
  verbose: boolean;
}

/** The environment of a command, and its output options. */
export interface CommandContext {
  terminal: Terminal;
  options: GlobalOptions;
}

/** Runs a command. The returned value is the exit code. A thrown error is printed, and the exit code is 2. */
export type RunCommand = (work: (context: CommandContext) => Promise<ExitCode>) => Promise<void>;

/** Adds a command to the program: its name, options, help and examples. Each command file exports one. */
export type AddCommand = (program: Command, run: RunCommand) => void;

/** Width of most windows. A purpose that doesn't fit beside its call is printed above it. */
const COLUMNS = 80;

/** Returns the end of a command's help: one example per line, with its purpose. */
export function examples(...lines: [call: string, why: string][]): string {
  const width = Math.max(...lines.map(([call]) => call.length));
  const fits = lines.every(([, why]) => 4 + width + why.length <= COLUMNS);
  const shown = lines.map(([call, why]) =>
    fits || why === "" ? `  ${call.padEnd(width)}  ${why}`.trimEnd() : `  # ${why}\n  ${call}`,
  );
  return `\n${PROGRAM_HELP.examplesTitle}\n${shown.join("\n")}`;
}
