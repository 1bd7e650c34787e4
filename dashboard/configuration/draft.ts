import { linesOf, numberIn, shareIn } from "../ui/form-values.ts";
import type { Fields } from "./step-fields.ts";

/** A configuration as the form edits it. The service validates it. */
export interface Draft {
  /** One path per line. */
  routes: string;
  viewports: string;
  /** Percent. */
  threshold: string;
  masks: string;
  hide: string;
  waitForSelector: string;
  session: string;
  ignoreRegions: Row[];
  environments: NamedRow[];
  sessions: NamedRow[];
  perRoute: NamedRow[];
  /** Fields that only the JSON shows. */
  rest: Fields;
}

/** An item of a list. The key identifies it while the list changes. */
export interface Row {
  key: number;
  fields: Fields;
}

/** An item of a record: an environment, a session, or a route's settings. */
export interface NamedRow extends Row {
  name: string;
  steps: Row[];
}

/** Fields whose inputs contain numbers. */
const NUMBERS = new Set(["x", "y", "width", "height", "viewport", "padding", "timeoutMs"]);

let keys = 0;

/** Returns a new row. */
export function rowOf(fields: Fields = {}): Row {
  keys += 1;
  return { key: keys, fields };
}

/** Returns a new item of a record. Its steps are rows. */
export function namedRowOf(name: string, value: unknown = {}): NamedRow {
  const { steps, ...fields } = fieldsOf(value);
  return { ...rowOf(fields), name, steps: listOf(steps).map(step => rowOf(fieldsOf(step))) };
}

/** Returns the draft of a configuration. */
export function draftOf(configuration: object): Draft {
  const { routes, viewports, threshold, masks, hide, waitForSelector, session, ...more } =
    fieldsOf(configuration);
  const { ignoreRegions, environments, sessions, perRoute, ...rest } = more;
  const lines = (value: unknown) => listOf(value).map(String).join("\n");
  const named = (value: unknown) =>
    Object.entries(fieldsOf(value)).map(([name, fields]) => namedRowOf(name, fields));
  return {
    routes: lines(routes),
    viewports: viewportsText(viewports),
    threshold: thresholdText(threshold),
    masks: lines(masks),
    hide: lines(hide),
    waitForSelector: textOf(waitForSelector),
    session: textOf(session),
    ignoreRegions: listOf(ignoreRegions).map(region => rowOf(fieldsOf(region))),
    environments: named(environments),
    sessions: named(sessions),
    perRoute: named(perRoute),
    rest,
  };
}

/** Returns the configuration of a draft. Empty fields are left out, and NaN is sent as null, which the service refuses. */
export function configurationOf(draft: Draft): Fields {
  const record = (rows: readonly NamedRow[]) =>
    rows.length > 0 ? Object.fromEntries(rows.map(row => [row.name.trim(), itemOf(row)])) : undefined;
  return withoutEmpty({
    routes: itemsOf(draft.routes),
    viewports: draft.viewports.trim() === "" ? undefined : viewportsOf(draft.viewports),
    threshold: thresholdOf(draft.threshold),
    masks: itemsOf(draft.masks),
    hide: itemsOf(draft.hide),
    waitForSelector: draft.waitForSelector.trim(),
    session: draft.session,
    ignoreRegions:
      draft.ignoreRegions.length > 0
        ? draft.ignoreRegions.map(({ fields }) => withoutEmpty(withNumbers(fields)))
        : undefined,
    environments: record(draft.environments),
    sessions: record(draft.sessions),
    perRoute: record(draft.perRoute),
    ...draft.rest,
  });
}

function itemOf({ fields, steps }: NamedRow): Fields {
  return withoutEmpty({
    ...fields,
    ...(typeof fields.viewports === "string" && {
      viewports: fields.viewports.trim() === "" ? undefined : viewportsOf(fields.viewports),
    }),
    ...(typeof fields.environments === "string" && { environments: namesOf(fields.environments) }),
    ...(typeof fields.threshold === "string" && { threshold: thresholdOf(fields.threshold) }),
    ...(typeof fields.masks === "string" && { masks: itemsOf(fields.masks) }),
    ...(steps.length > 0 && { steps: steps.map(step => withoutEmpty(withNumbers(step.fields))) }),
  });
}

function withNumbers(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    NUMBERS.has(name) && typeof value === "string" && value.trim() !== "" ? numberIn(value.trim()) : value,
  ]);
  return Object.fromEntries(entries);
}

function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""),
  );
}

/** Returns names in a list; undefined if there are none. */
function namesOf(text: string): string[] | undefined {
  const names = text.split(/[\s,;]+/).filter(name => name !== "");
  return names.length > 0 ? names : undefined;
}

/** Returns the lines of a text; undefined if there are none. */
function itemsOf(text: string): string[] | undefined {
  const lines = linesOf(text);
  return lines.length > 0 ? lines : undefined;
}

/** Returns a threshold as a text in percent. */
export function thresholdText(value: unknown): string {
  return typeof value === "number" ? String(Number((value * 100).toFixed(4))) : textOf(value);
}

function thresholdOf(text: string): number | undefined {
  return text.trim() === "" ? undefined : shareIn(text.trim());
}

/** Returns viewports as a text: `375, 1440 × 900`. */
export function viewportsText(value: unknown): string {
  if (typeof value === "string") return value;
  return listOf(value)
    .map(viewport => {
      const { width, height } = fieldsOf(viewport);
      return width === undefined ? String(viewport) : `${String(width)} × ${String(height)}`;
    })
    .join(", ");
}

/** Reads widths, and widths with heights; NaN for invalid ones. */
export function viewportsOf(text: string): (number | { width: number; height: number })[] {
  return text
    .split(/[,;\n]+/)
    .map(part => part.trim())
    .filter(part => part !== "")
    .map(part => {
      const [, width, height] = /^(\d+)\s*[x×]\s*(\d+)$/i.exec(part) ?? [];
      return width === undefined ? Number(part) : { width: Number(width), height: Number(height) };
    });
}

/** Returns a value as the text of an input. Lists and objects have none. */
export function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Returns the fields of an object; none for other values. */
export function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
