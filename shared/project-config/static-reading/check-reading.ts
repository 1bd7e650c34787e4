import type { z } from "zod";
import { describeInvalid } from "../../text/describe-invalid.ts";
import { describeIssue, isAboutPlan } from "../describe-issue.ts";
import { type ConfigFailure, lineCounter, positionOf, type ReadConfig } from "../failure.ts";
import { projectConfigSchema } from "../project-config.ts";
import type { Reading, SourceReading, Span } from "./reading.ts";

/** So many are worth reading, and a check run takes 50 annotations at once. */
const MAX_FAILURES = 50;

/** Checks what was read from a source, and says where in it each fault stands. */
export function checkReading(source: string, { root, faults }: SourceReading): ReadConfig {
  const at = lineCounter(source);
  const found: ConfigFailure[] = faults.map(({ start, end, code, message }) => {
    return { code, ...positionOf({ start, end }, at), field: null, message };
  });
  const checked = root && projectConfigSchema.safeParse(plain(root), { error: describeInvalid });
  if (checked?.success && found.length === 0) return { config: checked.data, faults: [] };
  const issues = checked?.error?.issues ?? [];
  // Where a part could not be read, what the parts say together is not known.
  const told = found.length === 0 ? issues : issues.filter(issue => !isAboutPlan(issue));
  for (const issue of told.slice(0, MAX_FAILURES)) if (root) found.push(...failuresOf(issue, root, at));
  const sorted = found.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const [first, ...more] = sorted.slice(0, MAX_FAILURES);
  if (!first) throw new Error("A configuration that was refused has no fault");
  return { config: null, faults: [first, ...more] };
}

/** The value alone. Names become the object's own, whatever they are called. */
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

/** Where the value of a path stands, or its name; the nearest part around it where it is not there. */
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
