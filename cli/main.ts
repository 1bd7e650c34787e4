#!/usr/bin/env node
/** The command-line tool `vrs`. Imports its commands only after it has checked the version of Node. */
import module from "node:module";
import process from "node:process";

/** The oldest Node with everything that the tool and its packages use. */
const OLDEST_NODE = [22, 17] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  console.error(
    `vrs needs Node ${OLDEST_NODE.join(".")} or newer, but this is Node ${process.versions.node}. Install a newer version from https://nodejs.org.`,
  );
  process.exitCode = 2;
} else {
  // Halves the start time of the tool.
  module.enableCompileCache?.();
  const { runVrs } = await import("./program.ts");
  const { processTerminal } = await import("./process-terminal.ts");
  const { printFailure } = await import("./print-failure.ts");
  const terminal = processTerminal(process);
  // Configurations and plugins run in this process. Standard output is for results, which programs read.
  globalThis.console = new console.Console(process.stderr);
  // Node would exit with 1, which means changes. Exit listeners end started processes.
  const json = process.argv.includes("--json");
  process.once("uncaughtException", error => {
    process.exit(printFailure(error, { terminal, called: "vrs", json, verbose: true }));
  });
  process.exitCode = await runVrs(process.argv.slice(2), terminal);
}
