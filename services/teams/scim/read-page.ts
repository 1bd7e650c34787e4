import { SCIM_ERRORS } from "../texts.ts";
import { type ScimPage, unknownAttribute } from "./scim.store.ts";
import { ScimError } from "./scim-error.ts";
import { parseFilter } from "./scim-filter.rule.ts";
import { MAX_RESULTS } from "./scim-resources.ts";

const USUAL_RESULTS = 100;
const MAX_START = 10_000_000;

/** Reads which part of a list is asked for (RFC 7644, section 3.4.2). @throws ScimError */
export function readPage(kind: "User" | "Group", query: Record<string, string>): ScimPage {
  const filters = query.filter ? parseFilter(query.filter) : [];
  const unknown = unknownAttribute(kind, filters);
  if (unknown !== null) throw new ScimError(400, SCIM_ERRORS.filterAttribute(unknown), "invalidFilter");
  return {
    filters,
    startIndex: within(query.startIndex, 1, MAX_START, 1),
    count: within(query.count, 0, MAX_RESULTS, USUAL_RESULTS),
  };
}

/** A value outside the bounds counts as the nearest, as the RFC says. */
function within(value: string | undefined, min: number, max: number, usual: number): number {
  if (value === undefined) return usual;
  if (!/^-?\d{1,15}$/.test(value))
    throw new ScimError(400, SCIM_ERRORS.number(value.slice(0, 50)), "invalidValue");
  return Math.min(Math.max(Number(value), min), max);
}
