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

/** Names of fields come from callers. */
const NAME_CHARS = 200;

/**
 * Returns the rule that a value breaks, to follow its field's name: `must be at least 240`. Pass it as
 * `error` to a schema's `parse`. The schema's own messages take precedence. `fieldError` makes a sentence of
 * it.
 */
export function describeInvalid(issue: z.core.$ZodRawIssue): string {
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
      return `must be ${FORMATS[issue.format] ?? "in another format"}`;
    }
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_union":
      return "options" in issue && Array.isArray(issue.options)
        ? `must be ${alternatives(issue.options)}`
        : "is invalid";
    default:
      return "is invalid";
  }
}

/**
 * Returns a field's error as a sentence: `"viewports" must have at least 1 item.`
 * @param whole name of a value without a path, such as `The body`
 */
export function fieldError(path: string, message: string, whole: string): string {
  return `${path === "" ? whole : `"${path}"`} ${message.replace(/[^?.]$/, "$&.")}`;
}

/** Returns the path of a field in source notation: `perRoute./pricing.viewports[0]`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    const name = String(part).slice(0, NAME_CHARS);
    return text === "" ? name : `${text}.${name}`;
  }, "");
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
