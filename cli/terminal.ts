import type { Readable } from "node:stream";
import { TOOL_ERRORS } from "./texts/errors.ts";

/** All that a command sees of the process it runs in, so that a test may give it another. */
export interface Terminal {
  /** Writes to standard output: what was asked for, and nothing else. */
  out(text: string): void;
  /** Writes to standard error: progress, warnings, faults. */
  err(text: string): void;
  /** Standard input, for a text that must not stand in the shell's history. */
  input: Readable;
  /** Whether a person sits before it: lines of standard error may be rewritten. */
  isInteractive: boolean;
  /** Whether that person can be asked: standard input is a terminal, too. */
  canAsk: boolean;
  /** Whether colors are wanted (`NO_COLOR`, `FORCE_COLOR`, `--no-color`). */
  hasColor: boolean;
  /** Characters in a line; another number when its window was resized. */
  readonly columns: number;
  /** Folder that the command was called in. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborts with an `Interrupt` at the first SIGINT or SIGTERM; a second one ends the process at once. */
  signal: AbortSignal;
}

/** What the process says to its caller. */
export const EXIT = {
  /** Nothing differs, or what was asked is done. */
  ok: 0,
  /** Something differs from its baseline, is new, or was removed. */
  changed: 1,
  /** It could not be done; the message says why, and what to do. */
  error: 2,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A fault that its user can mend. The message says what happened and what to do; no stack is shown. */
export class CommandError extends Error {
  /** Word for scripts, as `config_invalid`. */
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "CommandError";
    this.code = code;
  }
}

/** Why the signal of a terminal aborts, and what the process then exits with, as shells have it. */
const INTERRUPTS = { SIGINT: 130, SIGTERM: 143, SIGPIPE: 141 } as const;

/** The work was stopped before it was done: by Ctrl+C, by a signal, or because the reader closed the pipe. */
export class Interrupt extends CommandError {
  readonly by: keyof typeof INTERRUPTS;
  readonly exitCode: number;

  constructor(by: keyof typeof INTERRUPTS) {
    super("interrupted", TOOL_ERRORS.interrupted(by));
    this.name = "Interrupt";
    this.by = by;
    this.exitCode = INTERRUPTS[by];
  }
}
