import type { Command } from "commander";
import type { ExitCode, Terminal } from "../terminal.ts";

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
