import type { z } from "zod";
import { fieldError, fieldPath } from "../text/describe-invalid.ts";
import { nearestName } from "./nearest-name.ts";
import { projectConfigSchema } from "./project-config.ts";
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
  const part = issue.code === "invalid_key" || isAboutPlan(issue) ? "key" : "value";
  const problem = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  const message = fieldError(field ?? "", problem, CONFIG_ERRORS.whole);
  return [{ code: "invalid-value", path: issue.path, part, field, message }];
}

/**
 * Returns whether an issue is about routes and viewports together. They are known only if all of them could
 * be read.
 */
export function isAboutPlan({ code, path }: z.core.$ZodIssue): boolean {
  return code === "custom" && (path.length === 1 || (path.length === 2 && path[0] === "perRoute"));
}

/** Returns the fields that the object at a path may have. */
function knownNames(path: readonly PropertyKey[]): string[] {
  const { shape } = projectConfigSchema;
  const [first] = path;
  if (path.length === 0) return Object.keys(shape);
  if (first === "baselines") return Object.keys(shape.baselines.unwrap().shape);
  if (first === "browser") return Object.keys(shape.browser.unwrap().shape);
  if (path.includes("network")) return NETWORK_NAMES;
  return Object.keys(shape.perRoute.unwrap().valueType.shape);
}

const NETWORK_NAMES = [
  ...new Set(
    projectConfigSchema.shape.network.unwrap().element.options.flatMap(option => Object.keys(option.shape)),
  ),
];
