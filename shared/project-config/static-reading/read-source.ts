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

/** Reads the configuration that a source exports, without running it. See `parseSource` for where to call it. */
export function readSource(source: string, fileName: string): SourceReading {
  const { program, failure } = parseSource(source, fileName);
  if (!program) return { root: null, faults: [failure] };
  const { names, exported, faults } = readModule(program, source);
  const [config, second] = exported;
  if (!config && faults.length > 0) return { root: null, faults };
  if (!config || second) {
    const message = config ? FILE_ERRORS.manyExports : FILE_ERRORS.noExport;
    const { start, end } = second ?? { start: 0, end: 0 };
    return { root: null, faults: [...faults, { code: "no-config", start, end, message }] };
  }
  try {
    const read = configuration(new Evaluator(source, names, new Budget()).read(config));
    return { root: read.root, faults: [...faults, ...read.faults] };
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    const { start, end } = error.span;
    return { root: null, faults: [{ code: "too-large", start, end, message: error.message }] };
  }
}

/** A value as the configuration: fields that cannot be read are left out, and are faults unless they are local. */
function configuration(value: Value): SourceReading {
  if (value.kind === "unread") return { root: null, faults: [value.failure] };
  if (value.kind !== "record") return { root: settled(value), faults: [] };
  const { start, end } = value;
  const faults = new Map<number, SourceFailure>();
  for (const { failure } of value.lost) faults.set(failure.start, failure);
  const fields: Field[] = [];
  for (const [name, field] of value.fields) {
    if (name === "plugins") continue;
    const unread = unreadIn(field.value);
    if (unread.length === 0) fields.push(...settledFields([[name, field]]));
    else if (!isLocal(name)) for (const failure of unread) faults.set(failure.start, failure);
  }
  return { root: { kind: "record", fields, start, end }, faults: [...faults.values()] };
}

function isLocal(name: string): boolean {
  return LOCAL_FIELDS.some(local => local === name);
}

function unreadIn(value: Value): SourceFailure[] {
  switch (value.kind) {
    case "unread":
      return [value.failure];
    case "list":
      return value.items.flatMap(item =>
        item.kind === "scalar" && item.value === undefined ? [noValue(item)] : unreadIn(item),
      );
    case "record":
      return [
        ...value.lost.map(({ failure }) => failure),
        ...value.fields.values().flatMap(field => unreadIn(field.value)),
      ];
    default:
      return [];
  }
}

function noValue({ start, end }: Value): SourceFailure {
  return { code: "not-static", start, end, message: PART_ERRORS.undefinedItem };
}

/** A value in which nothing is unread, as it goes to its reader. */
function settled(value: Value): Reading {
  const { start, end } = value;
  if (value.kind === "list") return { kind: "list", items: value.items.map(settled), start, end };
  if (value.kind === "record") return { kind: "record", fields: settledFields(value.fields), start, end };
  return { kind: "scalar", value: value.kind === "scalar" ? (value.value ?? null) : null, start, end };
}

/** A field whose value is undefined is one that is not there. */
function settledFields(
  fields: Iterable<[string, { key: { start: number; end: number }; value: Value }]>,
): Field[] {
  return [...fields]
    .filter(([, { value }]) => value.kind !== "scalar" || value.value !== undefined)
    .map(([name, { key, value }]) => ({
      name,
      key: { start: key.start, end: key.end },
      value: settled(value),
    }));
}
