import type { Command } from "commander";
import type { ExitCode, Terminal } from "../terminal.ts";

/** Options that every command takes; they stand before or after its name. */
export interface GlobalOptions {
  /** The outcome as JSON on standard output, and nothing else there. */
  json: boolean;
  /** What differs or went wrong, and nothing else. */
  quiet: boolean;
  /** What it does in detail. */
  verbose: boolean;
}

/** Where a command runs, and what to say its outcome with. */
export interface CommandContext {
  terminal: Terminal;
  options: GlobalOptions;
}

/** Runs a command's work: what it returns is the process's exit code, what it throws is told and exits with 2. */
export type RunCommand = (work: (context: CommandContext) => Promise<ExitCode>) => Promise<void>;

/** A command's own file exports one: it adds its name, options, help and examples to the program. */
export type AddCommand = (program: Command, run: RunCommand) => void;
