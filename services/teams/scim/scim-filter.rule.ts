import { SCIM_ERRORS } from "../texts.ts";
import { ScimError } from "./scim-error.ts";

/** One comparison of a filter. All of them must hold. */
export interface Comparison {
  /** In lower case, without the schema and the filter in brackets: `emails.value`. */
  attribute: string;
  value: string | boolean;
}

const MAX_CHARS = 1_000;
const COMPARISON =
  /^\s*([a-z][\w.:$-]*(?:\[[^\]"]*"[^"]*"\s*\](?:\.[a-z]\w*)?)?)\s+(\w\w)\s+("(?:[^"\\]|\\.)*"|true|false)\s*/i;

/**
 * Parses a filter of comparisons with `eq`, joined by `and`. Entra ID and Okta send no others.
 * @throws ScimError invalidFilter
 */
export function parseFilter(filter: string): Comparison[] {
  const comparisons: Comparison[] = [];
  let rest = filter.slice(0, MAX_CHARS + 1);
  if (rest.length > MAX_CHARS) throw invalid(filter.slice(0, 50));
  for (;;) {
    const match = COMPARISON.exec(rest);
    const [whole = "", path = "", operator = "", literal = ""] = match ?? [];
    if (operator.toLowerCase() !== "eq") throw invalid(rest);
    comparisons.push({ attribute: plainPath(path), value: literalValue(literal) });
    rest = rest.slice(whole.length);
    if (rest === "") return comparisons;
    const [and = ""] = /^and\s+/i.exec(rest) ?? [];
    if (and === "") throw invalid(rest);
    rest = rest.slice(and.length);
  }
}

/** Returns a path without its schema and the filter in brackets, in lower case. */
function plainPath(path: string): string {
  return path
    .replace(/^urn:[\w.:-]*:(user|group):/i, "")
    .replace(/\[[^\]]*\]/, "")
    .toLowerCase();
}

function literalValue(literal: string): string | boolean {
  try {
    const value: unknown = JSON.parse(literal);
    if (typeof value === "boolean") return value;
    // No column can have this character.
    if (typeof value === "string" && !value.includes("\0")) return value;
  } catch {
    // Not valid either.
  }
  throw invalid(literal);
}

function invalid(at: string): ScimError {
  return new ScimError(400, SCIM_ERRORS.filter(at.slice(0, 100)), "invalidFilter");
}
