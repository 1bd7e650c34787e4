import { FILE_ERRORS } from "../texts.ts";

/** Offsets into the source, in UTF-16 units; `end` is the first behind it. */
export interface Span {
  start: number;
  end: number;
}

type Scalar = string | number | boolean | null;

/** A value that was read, and where each part of it stands. */
export type Reading =
  | (Span & { kind: "scalar"; value: Scalar })
  | (Span & { kind: "list"; items: Reading[] })
  | (Span & { kind: "record"; fields: Field[] });

export interface Field {
  name: string;
  /** Where the name stands. */
  key: Span;
  value: Reading;
}

/** What the source says and what of it could not be read. `root` is null where it has no configuration. */
export interface SourceReading {
  root: Reading | null;
  faults: SourceFailure[];
}

export const SOURCE_FAILURE_CODES = ["syntax", "no-config", "not-static", "too-large"] as const;

export interface SourceFailure extends Span {
  code: (typeof SOURCE_FAILURE_CODES)[number];
  /** What it is, and what to write instead. */
  message: string;
}

/** Some 100 times what a large project's file holds: values can be many more than a source's characters say. */
const BUDGET = 2 * 1024 * 1024;
/** Deeper than the schema by far. */
const MAX_LEVELS = 32;
/** Constants in constants, and what is around a value: far from what a call stack holds. */
const MAX_DEPTH = 200;
/** A value costs as many characters as it has, and so many for being one. */
export const VALUE_COST = 16;

/** The source asks for more than is read. */
export class TooLargeError extends Error {
  readonly span: Span;

  constructor(span: Span, message: string) {
    super(message);
    this.span = span;
  }
}

/**
 * Counts what reading a source produces. Constants and aliases can be named many times, each one within the next, so
 * that a short source stands for more values than memory has.
 */
export class Budget {
  #left = BUDGET;

  /** @throws TooLargeError */
  spend(cost: number, span: Span): void {
    this.#left -= cost;
    if (this.#left < 0) throw new TooLargeError(span, FILE_ERRORS.tooManyValues);
  }

  /** @throws TooLargeError for a value with too many others within each other */
  hold(levels: number, span: Span): void {
    if (levels > MAX_LEVELS) throw new TooLargeError(span, FILE_ERRORS.tooManyLevels(MAX_LEVELS));
  }

  /** @throws TooLargeError for a part that is within too many others */
  enter(depth: number, span: Span): void {
    if (depth > MAX_DEPTH) throw new TooLargeError(span, FILE_ERRORS.nestedTooDeep);
  }
}

/** What is left of a source for a message: one line of it, cut where it is long. */
export function excerpt(source: string, { start, end }: Span): string {
  const line = source
    .slice(start, Math.min(end, start + 200))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const kept = [...line].slice(0, 60).join("");
  return kept.length < line.length || end - start > 200 ? `${kept}…` : kept;
}

/** A name that JavaScript gives a meaning of its own: it is refused rather than read. */
export const FORBIDDEN_NAME = "__proto__";

/** What only the command-line tool uses: the service does without, so that these need not be readable. */
export const LOCAL_FIELDS = ["baseUrl", "browser", "concurrency", "plugins"] as const;

export function isYaml(fileName: string): boolean {
  return /\.ya?ml$/i.test(fileName);
}
