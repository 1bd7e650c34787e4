import { z } from "zod";
import { fieldError, fieldPath } from "../text/describe-invalid.ts";
import { nearestName } from "../text/nearest-name.ts";
import { PLAN_ISSUE, projectConfigSchema } from "./project-config.ts";
import { CONFIG_ERRORS } from "./texts.ts";

/** A problem of a part of a configuration, independent of its notation. */
export interface DescribedIssue {
  code: "unknown-field" | "invalid-value";
  path: readonly PropertyKey[];
  /** Whether the problem is the field's name or its value. */
  part: "key" | "value";
  /** Path of the field, such as `perRoute./pricing.viewports[0]`. Null for the whole configuration. */
  field: string | null;
  /** The problem, and what to write instead. */
  message: string;
}

/** Describes an issue of the schema. For an unknown field, it suggests the nearest name. */
export function describeIssue(issue: z.core.$ZodIssue, most: number): DescribedIssue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, most).map(key => {
      const path = [...issue.path, key];
      const near = nearestName(key, knownNames(issue.path));
      const field = fieldPath(path);
      const message = CONFIG_ERRORS.unknownField(field, near, knownNames(issue.path));
      return { code: "unknown-field", path, part: "key", field, message };
    });
  }
  const field = issue.path.length > 0 ? fieldPath(issue.path) : null;
  const [first, ...below] = issue.path;
  const isAboutRoutes =
    isAboutPlan(issue) && below.length === (first === "perRoute" ? 1 : 0) && first !== "session";
  const part = issue.code === "invalid_key" || isAboutRoutes ? "key" : "value";
  const problem = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  const message = fieldError(field ?? "", problem, CONFIG_ERRORS.whole);
  return [{ code: "invalid-value", path: issue.path, part, field, message }];
}

/**
 * Returns whether an issue is about several fields together, such as routes and environments. They are known only if
 * all of them could be read.
 */
export function isAboutPlan(issue: z.core.$ZodIssue): boolean {
  return issue.code === "custom" && issue.params === PLAN_ISSUE;
}

/** Returns the fields that the object at a path may have. For a step, those of all actions. */
function knownNames(path: readonly PropertyKey[]): string[] {
  let schemas: z.core.$ZodType[] = [projectConfigSchema];
  for (const part of path) schemas = schemas.flatMap(schema => schemasIn(schema, part));
  const names = schemas
    .flatMap(alternativesOf)
    .flatMap(schema => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []));
  return [...new Set(names)];
}

/** Returns the schemas of a field or an item. */
function schemasIn(schema: z.core.$ZodType, part: PropertyKey): z.core.$ZodType[] {
  return alternativesOf(schema).flatMap((option): z.core.$ZodType[] => {
    if (option instanceof z.ZodObject) return option.shape[String(part)] ?? [];
    if (option instanceof z.ZodRecord) return [option.valueType];
    return option instanceof z.ZodArray ? [option.element] : [];
  });
}

/** Returns the schemas that a value may match, without defaults around them. */
function alternativesOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return alternativesOf(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternativesOf);
  return [schema];
}
