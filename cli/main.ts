#!/usr/bin/env node
/** The command-line tool `vrs`. */
import process from "node:process";
import { Command } from "commander";
import { version } from "../shared/version.ts";
import type { AddCommand, GlobalOptions, RunCommand } from "./commands/command.ts";
import { addMonitor } from "./commands/monitor.ts";
import { processTerminal } from "./process-terminal.ts";
import { CommandError, EXIT } from "./terminal.ts";

/** In the order of the help. */
const COMMANDS: AddCommand[] = [addMonitor];

const terminal = processTerminal(process);

const program = new Command("vrs")
  .description(
    "Visual regression checks: renders pages, compares them with approved baselines, reports what changed.",
  )
  .version(version, "-V, --version")
  .option("--json", "the outcome as JSON on standard output", false)
  .option("-q, --quiet", "faults only", false)
  .option("-v, --verbose", "what it does in detail", false)
  .option("--no-color", "no colours");

const run: RunCommand = async work => {
  const options = program.opts<GlobalOptions>();
  try {
    process.exitCode = await work({ terminal, options });
  } catch (error) {
    process.exitCode = EXIT.error;
    if (error instanceof CommandError) terminal.err(`${error.message}\n`);
    else throw error;
  }
};

for (const add of COMMANDS) add(program, run);
await program.parseAsync();
