import { DEPRECATION_TEXTS } from "../texts/api.ts";

/** The part of JSON Schema that the service's schemas use. */
interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: Schema | boolean;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  maxLength?: number;
  description?: string;
  deprecated?: boolean;
}

/** Returns a Markdown table of a schema's fields, with paths for nested ones. Empty if it has no fields. */
export function fieldTable(schema: object): string[] {
  const rows = fieldRows(schema, "");
  return rows.length > 0 ? ["| Field | Type | Meaning |", "|---|---|---|", ...rows] : [];
}

/** Returns a schema's type, such as `array of integer`. */
export function typeInWords(schema: object): string {
  const { const: only, enum: values, anyOf, oneOf, items, additionalProperties, type }: Schema = schema;
  if (only !== undefined) return `\`${only}\``;
  if (values) return values.map(value => `\`${value}\``).join(" or ");
  const options = anyOf ?? oneOf;
  if (options) return [...new Set(options.map(typeInWords))].join(" or ");
  if (items) return `array of ${typeInWords(items)}`;
  if (typeof additionalProperties === "object") return `map of ${typeInWords(additionalProperties)}`;
  return [type ?? "any"].flat().join(" or ");
}

/** Returns a schema's description, bounds and default. */
export function meaningOf(schema: object): string {
  const { description, deprecated, items, maxItems, maxLength, default: preset, ...range }: Schema = schema;
  return [
    deprecated ? DEPRECATION_TEXTS.field : "",
    description,
    rangeInWords(range),
    maxItems === undefined ? "" : `at most ${maxItems}`,
    maxLength === undefined ? "" : `at most ${maxLength} characters`,
    items && rangeInWords(items) && `each ${rangeInWords(items)}`,
    preset === undefined ? "" : `default \`${JSON.stringify(preset)}\``,
  ]
    .filter(Boolean)
    .join("; ");
}

/** Escapes a text for a cell of a Markdown table. */
export function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function rangeInWords({ minimum, maximum }: Schema): string {
  // Every integer schema ends at the largest exact number, which is no limit of the API.
  if (minimum === undefined || maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) return "";
  return `${minimum}–${maximum}`;
}

function fieldRows(schema: Schema, prefix: string): string[] {
  return fieldsOf(schema).flatMap(({ name, field, required }) => {
    const path = `${prefix}${name}`;
    const row = `| \`${path}${required ? "" : "?"}\` | ${cell(typeInWords(field))} | ${cell(meaningOf(field))} |`;
    return [row, ...innerRows(field, path)];
  });
}

function innerRows(field: Schema, path: string): string[] {
  if (field.items) return fieldRows(field.items, `${path}[].`);
  if (typeof field.additionalProperties === "object")
    return fieldRows(field.additionalProperties, `${path}.*.`);
  return fieldRows(field, `${path}.`);
}

interface Field {
  name: string;
  field: Schema;
  required: boolean;
}

/** Returns an object's fields. For a union of objects, returns the fields of all of them once. */
function fieldsOf(schema: Schema): Field[] {
  const objects = (schema.anyOf ?? schema.oneOf ?? [schema]).filter(option => option.properties);
  const names = new Set(objects.flatMap(object => Object.keys(object.properties ?? {})));
  return [...names].map(name => {
    const variants = objects.flatMap(object => object.properties?.[name] ?? []);
    const [first = {}] = variants;
    const same = new Set(variants.map(typeInWords)).size === 1;
    return {
      name,
      field: same ? first : { anyOf: variants },
      required: objects.every(
        ({ required, properties }) => required?.includes(name) && properties?.[name]?.default === undefined,
      ),
    };
  });
}
