import { FILE_ERRORS, PART_ERRORS } from "../texts.ts";
import { readModule } from "./bindings.ts";
import { Evaluator, type Value } from "./evaluate.ts";
import { parseSource } from "./parse-source.ts";
import {
  Budget,
  type Field,
  LOCAL_FIELDS,
  type Reading,
  type SourceFailure,
  type SourceReading,
  TooLargeError,
} from "./reading.ts";

/** Reads the configuration that a source exports, without running it. `parseSource` says where to call it. */
export function readSource(source: string, fileName: string): SourceReading {
  const { program, failure } = parseSource(source, fileName);
  if (!program) return { root: null, failures: [failure] };
  const { names, exported, failures } = readModule(program, source);
  const [config, second] = exported;
  if (!config && failures.length > 0) return { root: null, failures };
  if (!config || second) {
    const message = config ? FILE_ERRORS.manyExports : FILE_ERRORS.noExport;
    const { start, end } = second ?? { start: 0, end: 0 };
    return { root: null, failures: [...failures, { code: "no-config", start, end, message }] };
  }
  try {
    const read = configuration(new Evaluator(source, names, new Budget()).read(config));
    return { root: read.root, failures: [...failures, ...read.failures] };
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    const { start, end } = error.span;
    return { root: null, failures: [{ code: "too-large", start, end, message: error.message }] };
  }
}

/**
 * Returns a value as the configuration. Unreadable fields are left out, and are failures unless they are
 * local.
 */
function configuration(value: Value): SourceReading {
  if (value.kind === "unread") return { root: null, failures: [value.failure] };
  if (value.kind !== "record") return { root: toReading(value), failures: [] };
  const { start, end } = value;
  const failures = new Map<number, SourceFailure>();
  for (const { failure } of value.lost) failures.set(failure.start, failure);
  const fields: Field[] = [];
  for (const [name, field] of value.fields) {
    if (name === "plugins") continue;
    const unread = failuresIn(field.value);
    if (unread.length === 0) fields.push(...readFields([[name, field]]));
    else if (!isLocal(name)) for (const failure of unread) failures.set(failure.start, failure);
  }
  return { root: { kind: "record", fields, start, end }, failures: [...failures.values()] };
}

function isLocal(name: string): boolean {
  return LOCAL_FIELDS.some(local => local === name);
}

function failuresIn(value: Value): SourceFailure[] {
  switch (value.kind) {
    case "unread":
      return [value.failure];
    case "list":
      return value.items.flatMap(item =>
        item.kind === "scalar" && item.value === undefined ? [noValue(item)] : failuresIn(item),
      );
    case "record":
      return [
        ...value.lost.map(({ failure }) => failure),
        ...value.fields.values().flatMap(field => failuresIn(field.value)),
      ];
    default:
      return [];
  }
}

function noValue({ start, end }: Value): SourceFailure {
  return { code: "not-static", start, end, message: PART_ERRORS.undefinedItem };
}

/** Returns a fully readable value for its reader. */
function toReading(value: Value): Reading {
  const { start, end } = value;
  if (value.kind === "list") return { kind: "list", items: value.items.map(toReading), start, end };
  if (value.kind === "record") return { kind: "record", fields: readFields(value.fields), start, end };
  return { kind: "scalar", value: value.kind === "scalar" ? (value.value ?? null) : null, start, end };
}

/** Leaves out fields whose value is undefined. */
function readFields(
  fields: Iterable<[string, { key: { start: number; end: number }; value: Value }]>,
): Field[] {
  return [...fields]
    .filter(([, { value }]) => value.kind !== "scalar" || value.value !== undefined)
    .map(([name, { key, value }]) => ({
      name,
      key: { start: key.start, end: key.end },
      value: toReading(value),
    }));
}
