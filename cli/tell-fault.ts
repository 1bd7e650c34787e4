import { inspect } from "node:util";
import { CommanderError } from "commander";
import { visible } from "../shared/text/visible-text.ts";
import { painter } from "./output/paint.ts";
import { toJson } from "./output/to-json.ts";
import { CommandError, EXIT, Interrupt, type Terminal } from "./terminal.ts";
import { TOOL_ERRORS } from "./texts/errors.ts";

/** How to print an error. */
interface Telling {
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
export function printFailure(error: unknown, telling: Telling): number {
  const { terminal, verbose } = telling;
  if (error instanceof CommanderError) return notifyUsage(error, telling);
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
  if (isOfFiles(error)) say("cannot_write", TOOL_ERRORS.files(message), telling);
  else say("internal", verbose ? TOOL_ERRORS.bugInDetail(message) : TOOL_ERRORS.bug(message), telling);
  if (verbose) terminal.err(`${visible(inspect(error))}\n`);
  return EXIT.error;
}

/** System calls on files and folders. Their errors aren't bugs of vrs, and the user can fix them. */
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

/** Handles wrong arguments. Help and the version were printed before. */
function notifyUsage({ code, exitCode, message }: CommanderError, telling: Telling): number {
  if (exitCode === 0) return EXIT.ok;
  // Without a command, the help was already printed on standard error.
  if (code === "commander.help" && !telling.json) return EXIT.error;
  const said =
    code === "commander.help"
      ? TOOL_ERRORS.noCommand
      : message.replace(/^error: /, "").replace(/\n\((.*)\)$/s, ". $1");
  const sentence = `${said.slice(0, 1).toUpperCase()}${said.slice(1)}`.replace(/[^.?!]$/, "$&.");
  say("usage", TOOL_ERRORS.usage(sentence, telling.called), telling);
  return EXIT.error;
}

function say(code: string, message: string, { terminal, json }: Telling): void {
  if (json) terminal.out(`${toJson({ error: { code, message } })}\n`);
  else terminal.err(`${painter(terminal)(["red", "bold"], TOOL_ERRORS.label)} ${visible(message)}\n`);
}
