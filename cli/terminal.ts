import type { Readable } from "node:stream";
import { styleText } from "node:util";
import { visibleJson } from "../shared/text/visible-text.ts";
import { TOOL_ERRORS } from "./texts/errors.ts";

/** The process as commands see it. Tests provide another one. */
export interface Terminal {
  /** Writes the requested output, and nothing else, to standard output. */
  out(text: string): void;
  /** Writes progress, warnings and errors to standard error. */
  err(text: string): void;
  /** Standard input, for secrets that must not be in the shell's history. */
  input: Readable;
  /** Whether standard error is a terminal, so that lines may be rewritten. */
  isInteractive: boolean;
  /** Whether the user can answer questions: standard input is a terminal too. */
  canPrompt: boolean;
  /** Whether colors are wanted (`NO_COLOR`, `FORCE_COLOR`, `--no-color`). */
  hasColor: boolean;
  /** Width of a line in characters. Changes when the window is resized. */
  readonly columns: number;
  /** Working directory of the command. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborts with an `Interrupt` at the first SIGINT or SIGTERM; a second one ends the process at once. */
  signal: AbortSignal;
}

/** Exit codes. */
export const EXIT = {
  /** No changes, or the command succeeded. */
  ok: 0,
  /** Screenshots are changed, new or removed. */
  changed: 1,
  /** The command failed. The message says why and what to do. */
  error: 2,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error that the user can fix. The message says what happened and what to do. No stack is shown. */
export class CommandError extends Error {
  /** Code for scripts, such as `config_invalid`. */
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "CommandError";
    this.code = code;
  }
}

/** Signals that abort the terminal's signal, with the exit codes that shells use. */
const INTERRUPTS = { SIGINT: 130, SIGTERM: 143, SIGPIPE: 141 } as const;

/** The work was stopped early: by Ctrl+C, by a signal, or because the reader closed the pipe. */
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

/**
 * Returns a value as JSON that is safe to print: without characters that control the terminal or reverse
 * text.
 */
export function toJson(value: unknown, space = 2): string {
  return visibleJson(JSON.stringify(value, null, space));
}

type Style = Parameters<typeof styleText>[0];

/** Styles a text with colors and weights, if colors are on. */
export type Paint = (style: Style, text: string) => string;

export function painter({ hasColor }: Pick<Terminal, "hasColor">): Paint {
  return hasColor ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}
