import { inspect } from "node:util";
import { CommanderError } from "commander";
import { visible } from "../shared/text/visible-text.ts";
import { painter } from "./output/paint.ts";
import { CommandError, EXIT, Interrupt, type Terminal } from "./terminal.ts";

const ADVICE_ON_FILES =
  "Look at the rights of that file and its folder, and at what room is left on the disk.";
const REPORT_IT = "This is a fault of vrs. Please report it, with what is said below and by `vrs doctor`.";
const SAY_IT_AGAIN =
  "This is a fault of vrs. Say it again with --verbose to see where, and please report that.";

/** How a fault is to be told. */
interface Telling {
  terminal: Terminal;
  json: boolean;
  verbose: boolean;
  /** The command that was called, as `vrs check`, whose help says more. */
  called: string;
}

/**
 * Tells why a command could not be done: in words on standard error or, with `--json`, as the one document on standard
 * output.
 * @returns the exit code
 */
export function tellFault(error: unknown, telling: Telling): number {
  const { terminal, verbose } = telling;
  if (error instanceof CommanderError) return tellUsage(error, telling);
  const interrupt: unknown = terminal.signal.aborted ? terminal.signal.reason : error;
  if (interrupt instanceof Interrupt) {
    if (interrupt.by !== "SIGPIPE") say(interrupt.code, interrupt.message, telling);
    if (verbose && interrupt !== error) terminal.err(`${visible(inspect(error))}\n`);
    return interrupt.exitCode;
  }
  if (error instanceof CommandError) {
    say(error.code, error.message, telling);
    if (verbose && error.cause) terminal.err(`${visible(inspect(error.cause))}\n`);
    return EXIT.error;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isOfFiles(error)) say("cannot_write", `${message}\n${ADVICE_ON_FILES}`, telling);
  else say("internal", `${message}\n${verbose ? REPORT_IT : SAY_IT_AGAIN}`, telling);
  if (verbose) terminal.err(`${visible(inspect(error))}\n`);
  return EXIT.error;
}

/** What the system says of files and folders: no fault of vrs, and for its user to mend. */
const OF_FILES =
  /^(open|mkdir|mkdtemp|write|fsync|close|rename|copyfile|unlink|rm|rmdir|scandir|utime|lstat)$/;

function isOfFiles(error: unknown): boolean {
  return (
    error instanceof Error &&
    "syscall" in error &&
    typeof error.syscall === "string" &&
    OF_FILES.test(error.syscall)
  );
}

/** The words were wrong, or only help or the version was asked for, which is printed by then. */
function tellUsage({ code, exitCode, message }: CommanderError, telling: Telling): number {
  if (exitCode === 0) return EXIT.ok;
  // No command was named: its help stands on standard error.
  if (code === "commander.help" && !telling.json) return EXIT.error;
  const said =
    code === "commander.help"
      ? "No command was named."
      : message.replace(/^error: /, "").replace(/\n\((.*)\)$/s, ". $1");
  const sentence = `${said.slice(0, 1).toUpperCase()}${said.slice(1)}`.replace(/[^.?!]$/, "$&.");
  say("usage", `${sentence}\n\`${telling.called} --help\` says what there is.`, telling);
  return EXIT.error;
}

function say(code: string, message: string, { terminal, json }: Telling): void {
  if (json) terminal.out(`${JSON.stringify({ error: { code, message } }, null, 2)}\n`);
  else terminal.err(`${painter(terminal)(["red", "bold"], "Error:")} ${visible(message)}\n`);
}
