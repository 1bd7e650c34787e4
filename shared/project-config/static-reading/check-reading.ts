import type { z } from "zod";
import { describeInvalid } from "../../text/describe-invalid.ts";
import { describeIssue, isAboutPlan } from "../describe-issue.ts";
import { type ConfigFailure, lineCounter, positionOf, type ReadConfig } from "../failure.ts";
import { projectConfigSchema } from "../project-config.ts";
import type { Reading, SourceReading, Span } from "./reading.ts";

/** More problems don't help, and a check run takes 50 annotations per request. */
const MAX_FAILURES = 50;

/** Validates a reading, and finds the position of each problem in its source. */
export function checkReading(source: string, { root, failures }: SourceReading): ReadConfig {
  const at = lineCounter(source);
  const found: ConfigFailure[] = failures.map(({ start, end, code, message }) => {
    return { code, ...positionOf({ start, end }, at), field: null, message };
  });
  const checked = root && projectConfigSchema.safeParse(plain(root), { error: describeInvalid });
  if (checked?.success && found.length === 0) return { config: checked.data, failures: [] };
  const issues = checked?.error?.issues ?? [];
  // If a part could not be read, issues about several parts together are unreliable.
  const told = found.length === 0 ? issues : issues.filter(issue => !isAboutPlan(issue));
  for (const issue of told.slice(0, MAX_FAILURES)) if (root) found.push(...failuresOf(issue, root, at));
  const sorted = found.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const [first, ...more] = sorted.slice(0, MAX_FAILURES);
  if (!first) throw new Error("A configuration that was refused has no failure");
  return { config: null, failures: [first, ...more] };
}

/** Returns the plain value. All names become own properties, whatever they are. */
function plain(reading: Reading): unknown {
  if (reading.kind === "scalar") return reading.value;
  if (reading.kind === "list") return reading.items.map(plain);
  return Object.fromEntries(reading.fields.map(({ name, value }) => [name, plain(value)]));
}

function failuresOf(
  issue: z.core.$ZodIssue,
  root: Reading,
  at: ReturnType<typeof lineCounter>,
): ConfigFailure[] {
  return describeIssue(issue, MAX_FAILURES).map(({ code, path, part, field, message }) => {
    return { code, ...positionOf(spanAt(root, path, part), at), field, message };
  });
}

/**
 * Returns the span of the value at a path, or of its name. If it is missing, returns the nearest part around
 * it.
 */
function spanAt(root: Reading, path: readonly PropertyKey[], part: "key" | "value"): Span {
  let span: Span = root;
  let here: Reading = root;
  for (const [index, step] of path.entries()) {
    if (here.kind === "list" && typeof step === "number" && here.items[step]) {
      here = here.items[step];
      span = here;
      continue;
    }
    const field =
      here.kind === "record" ? here.fields.findLast(({ name }) => name === String(step)) : undefined;
    if (!field) return span;
    here = field.value;
    span = part === "key" && index === path.length - 1 ? field.key : here;
  }
  return span;
}
