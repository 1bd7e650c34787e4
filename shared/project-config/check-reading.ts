import type { z } from "zod";
import { type ConfigFault, lineCounter, placeOf, type ReadConfig } from "./fault.ts";
import { nearestName } from "./nearest-name.ts";
import { projectConfigSchema } from "./project-config.ts";
import type { Reading, SourceReading, Span } from "./reading.ts";

/** So many are worth reading, and a check run takes 50 annotations at once. */
const MAX_FAULTS = 50;

/** Checks what was read from a source, and says where in it each fault stands. */
export function checkReading(source: string, { root, faults }: SourceReading): ReadConfig {
  const at = lineCounter(source);
  const found: ConfigFault[] = faults.map(({ start, end, code, message }) => {
    return { code, ...placeOf({ start, end }, at), field: null, message };
  });
  const checked = root && projectConfigSchema.safeParse(plain(root));
  if (checked?.success && found.length === 0) return { config: checked.data, faults: [] };
  const issues = checked?.error?.issues ?? [];
  // Where a part could not be read, what the parts say together is not known.
  const told = found.length === 0 ? issues : issues.filter(issue => !isOfThePlan(issue));
  for (const issue of told.slice(0, MAX_FAULTS)) if (root) found.push(...faultsOf(issue, root, at));
  const sorted = found.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const [first, ...more] = sorted.slice(0, MAX_FAULTS);
  if (!first) throw new Error("A configuration that was refused has no fault");
  return { config: null, faults: [first, ...more] };
}

/** The value alone. Names become the object's own, whatever they are called. */
function plain(reading: Reading): unknown {
  if (reading.kind === "scalar") return reading.value;
  if (reading.kind === "list") return reading.items.map(plain);
  return Object.fromEntries(reading.fields.map(({ name, value }) => [name, plain(value)]));
}

function isOfThePlan({ code, path }: z.core.$ZodIssue): boolean {
  return code === "custom" && (path.length === 1 || (path.length === 2 && path[0] === "perRoute"));
}

function faultsOf(issue: z.core.$ZodIssue, root: Reading, at: ReturnType<typeof lineCounter>): ConfigFault[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, MAX_FAULTS).map(key => {
      const path = [...issue.path, key];
      const near = nearestName(key, knownNames(issue.path));
      const advice = near ? `Did you mean ${near}?` : `Known here: ${knownNames(issue.path).join(", ")}.`;
      const message = `${fieldOf(path)} is not a known field. ${advice}`;
      return {
        code: "unknown-field",
        ...placeOf(spanAt(root, path, "key"), at),
        field: fieldOf(path),
        message,
      };
    });
  }
  const field = issue.path.length > 0 ? fieldOf(issue.path) : null;
  const part = issue.code === "invalid_key" || isOfThePlan(issue) ? "key" : "value";
  const said = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  const message = `${field ?? "The configuration"}: ${said.charAt(0).toLowerCase()}${said.slice(1)}.`;
  return [{ code: "invalid-value", ...placeOf(spanAt(root, issue.path, part), at), field, message }];
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

/** The fields that the object at a path may have. */
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

/** `perRoute./pricing.viewports[0]` */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    const name = String(part);
    return text === "" ? name.slice(0, 100) : `${text}.${name.slice(0, 100)}`;
  }, "");
}
