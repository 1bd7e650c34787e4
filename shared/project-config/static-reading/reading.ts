import { FILE_ERRORS } from "../texts.ts";

/** Offsets in the source, in UTF-16 code units. `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

type Scalar = string | number | boolean | null;

/** A value, with the position of each of its parts. */
export type Reading =
  | (Span & { kind: "scalar"; value: Scalar })
  | (Span & { kind: "list"; items: Reading[] })
  | (Span & { kind: "record"; fields: Field[] });

export interface Field {
  name: string;
  /** The position of the name. */
  key: Span;
  value: Reading;
}

/**
 * The readable part of the source, and the failures of the rest. `root` is null if there is no configuration.
 */
export interface SourceReading {
  root: Reading | null;
  failures: SourceFailure[];
}

export const SOURCE_FAILURE_CODES = ["syntax", "no-config", "not-static", "too-large"] as const;

export interface SourceFailure extends Span {
  code: (typeof SOURCE_FAILURE_CODES)[number];
  /** The problem, and what to write instead. */
  message: string;
}

/** About 100 times the content of a large project's file. Values can exceed the source's length by far. */
const BUDGET = 2 * 1024 * 1024;
/** Much deeper than the schema. */
const MAX_LEVELS = 32;
/** For nested constants and nested expressions. Far below the call stack's limit. */
const MAX_DEPTH = 200;
/** A value costs its characters, plus this. */
export const VALUE_COST = 16;

/** The source exceeds the bounds. */
export class TooLargeError extends Error {
  readonly span: Span;

  constructor(span: Span, message: string) {
    super(message);
    this.span = span;
  }
}

/**
 * Counts the values that a source produces. Constants and aliases can refer to each other many times, so a
 * short source can expand to more values than fit in memory.
 */
export class Budget {
  #left = BUDGET;

  /** Counts a cost. @throws TooLargeError */
  spend(cost: number, span: Span): void {
    this.#left -= cost;
    if (this.#left < 0) throw new TooLargeError(span, FILE_ERRORS.tooManyValues);
  }

  /** Checks the depth of a value. @throws TooLargeError if it is nested too deeply */
  hold(levels: number, span: Span): void {
    if (levels > MAX_LEVELS) throw new TooLargeError(span, FILE_ERRORS.tooManyLevels(MAX_LEVELS));
  }

  /** Checks the depth of a part of the source. @throws TooLargeError if it is nested too deeply */
  enter(depth: number, span: Span): void {
    if (depth > MAX_DEPTH) throw new TooLargeError(span, FILE_ERRORS.nestedTooDeep);
  }
}

/** Returns a part of the source for a message: one line, shortened. */
export function excerpt(source: string, { start, end }: Span): string {
  const line = source
    .slice(start, Math.min(end, start + 200))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const kept = [...line].slice(0, 60).join("");
  return kept.length < line.length || end - start > 200 ? `${kept}…` : kept;
}

/** A name with a special meaning in JavaScript. It is rejected. */
export const FORBIDDEN_NAME = "__proto__";

/** Fields that only the command line uses. The service ignores them, so they need not be readable. */
export const LOCAL_FIELDS = ["baseUrl", "browser", "concurrency", "plugins"] as const;

export function isYaml(fileName: string): boolean {
  return /\.ya?ml$/i.test(fileName);
}
