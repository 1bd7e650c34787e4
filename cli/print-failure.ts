import { inspect } from "node:util";
import { CommanderError } from "commander";
import { visible } from "../shared/text/visible-text.ts";
import { CommandError, EXIT, Interrupt, painter, type Terminal, toJson } from "./terminal.ts";
import { TOOL_ERRORS } from "./texts/errors.ts";

/** How to print an error. */
interface PrintOptions {
  terminal: Terminal;
  json: boolean;
  verbose: boolean;
  /** The called command, such as `vrs check`, for a hint to its help. */
  called: string;
}

/**
 * Prints why a command failed: as text on standard error, or with `--json` as the one document on standard
 * output.
 * @returns the exit code
 */
export function printFailure(error: unknown, options: PrintOptions): number {
  const { terminal, verbose } = options;
  if (error instanceof CommanderError) return printUsageFailure(error, options);
  const interrupt: unknown = terminal.signal.aborted ? terminal.signal.reason : error;
  if (interrupt instanceof Interrupt) {
    if (interrupt.by !== "SIGPIPE") print(interrupt.code, interrupt.message, options);
    if (verbose && interrupt !== error) terminal.err(`${visible(inspect(error))}\n`);
    return interrupt.exitCode;
  }
  if (error instanceof CommandError) {
    print(error.code, error.message, options);
    if (verbose && error.cause) terminal.err(`${visible(inspect(error.cause))}\n`);
    return EXIT.error;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isFileError(error)) print("cannot_write", TOOL_ERRORS.files(message), options);
  else print("internal", verbose ? TOOL_ERRORS.bugInDetail(message) : TOOL_ERRORS.bug(message), options);
  if (verbose) terminal.err(`${visible(inspect(error))}\n`);
  return EXIT.error;
}

/** System calls on files and folders. Their errors aren't bugs of vrs, and the user can fix them. */
const FILE_CALLS =
  /^(open|mkdir|mkdtemp|write|fsync|close|rename|copyfile|unlink|rm|rmdir|scandir|utime|lstat)$/;

function isFileError(error: unknown): boolean {
  return (
    error instanceof Error &&
    "syscall" in error &&
    typeof error.syscall === "string" &&
    FILE_CALLS.test(error.syscall)
  );
}

/** Handles wrong arguments. Help and the version were printed before. */
function printUsageFailure({ code, exitCode, message }: CommanderError, options: PrintOptions): number {
  if (exitCode === 0) return EXIT.ok;
  // Without a command, the help was already printed on standard error.
  if (code === "commander.help" && !options.json) return EXIT.error;
  const text =
    code === "commander.help"
      ? TOOL_ERRORS.noCommand
      : message.replace(/^error: /, "").replace(/\n\((.*)\)$/s, ". $1");
  const sentence = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`.replace(/[^.?!]$/, "$&.");
  print("usage", TOOL_ERRORS.usage(sentence, options.called), options);
  return EXIT.error;
}

function print(code: string, message: string, { terminal, json }: PrintOptions): void {
  if (json) terminal.out(`${toJson({ error: { code, message } })}\n`);
  else terminal.err(`${painter(terminal)(["red", "bold"], TOOL_ERRORS.label)} ${visible(message)}\n`);
}
