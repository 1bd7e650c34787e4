import type { z } from "zod";

const TYPES: Record<string, string> = {
  array: "a list",
  bigint: "a whole number",
  boolean: "true or false",
  int: "a whole number",
  map: "an object",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};

const FORMATS: Record<string, string> = {
  datetime: "a date and time such as 2026-01-31T09:00:00Z",
  email: "an email address",
  url: "a URL",
};

const UNITS: Record<string, string> = { array: "items", string: "characters", object: "fields" };

/**
 * Returns what a value must be, to follow the name of its field: `must be at least 240`. To be passed as `error` to a
 * schema's `parse`; a message of the schema's own goes first. Undefined leaves zod's message.
 */
export function describeInvalid(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type": {
      if (issue.input === undefined) return "is required";
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    }
    case "too_small":
      return boundOf(issue.origin, "at least", issue.minimum, issue.inclusive ?? true);
    case "too_big":
      return boundOf(issue.origin, "at most", issue.maximum, issue.inclusive ?? true);
    case "invalid_value":
      return `must be ${alternatives(issue.values)}`;
    case "invalid_format": {
      const format = FORMATS[issue.format];
      return format && `must be ${format}`;
    }
    default:
      return undefined;
  }
}

function boundOf(
  origin: string,
  least: "at least" | "at most",
  bound: number | bigint,
  isInclusive: boolean,
): string {
  const number = bound.toLocaleString("en-US");
  const unit = UNITS[origin];
  if (unit) return `must have ${least} ${number} ${bound === 1 ? unit.replace(/s$/, "") : unit}`;
  if (isInclusive) return `must be ${least} ${number}`;
  return `must be ${least === "at least" ? "more" : "less"} than ${number}`;
}

function alternatives(values: readonly z.core.util.Primitive[]): string {
  const written = values.map(value => (typeof value === "string" ? `"${value}"` : String(value)));
  return new Intl.ListFormat("en-US", { type: "disjunction" }).format(written);
}
