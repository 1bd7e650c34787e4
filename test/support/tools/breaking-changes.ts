/** The part of JSON Schema that decides whether a client still works. */
interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

interface Media {
  content?: Record<string, { schema?: Schema }>;
}

interface Operation {
  deprecated?: boolean;
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: Media & { required?: boolean };
  responses: Record<string, Media>;
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
}

const JSON_TYPE = "application/json";

/**
 * Returns what breaks clients of the earlier document, one line each, such as
 * `GET /v1/usage: the response lost plan`. New operations, new fields of responses, new optional fields of requests,
 * and new values of a response's enum break none.
 */
export function breakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (!now) return [`${name}: the operation is gone`];
      return changesOfOperation(operation, now).map(change => `${name}: ${change}`);
    }),
  );
}

function changesOfOperation(before: Operation, after: Operation): string[] {
  const bodyOf = ({ requestBody }: Operation) => requestBody?.content?.[JSON_TYPE]?.schema;
  const becameRequired = after.requestBody?.required && !before.requestBody?.required;
  return [
    ...changesOfParameters(before, after),
    ...(becameRequired ? ["the body is required now"] : []),
    ...changesOfRequest(bodyOf(before), bodyOf(after), "the request's"),
    ...Object.entries(before.responses).flatMap(([status, response]) => {
      if (!/^2/.test(status)) return [];
      const now = after.responses[status];
      if (!now) return [`the status ${status} is gone`];
      const [earlier, later] = [response, now].map(({ content }) => content?.[JSON_TYPE]?.schema);
      return changesOfResponse(earlier, later, "the response's");
    }),
  ];
}

function changesOfParameters(before: Operation, after: Operation): string[] {
  const earlier = new Map((before.parameters ?? []).map(each => [`${each.in} ${each.name}`, each]));
  const later = new Map((after.parameters ?? []).map(each => [`${each.in} ${each.name}`, each]));
  const removed = [...earlier.keys()].filter(key => !later.has(key));
  const required = [...later].filter(([key, each]) => each.required && !earlier.get(key)?.required);
  return [
    ...removed.map(key => `the parameter ${key} is gone`),
    ...required.map(([key]) => `the parameter ${key} is required now`),
    ...[...earlier].flatMap(([key, { schema }]) =>
      changesOfRequest(schema, later.get(key)?.schema, `the parameter ${key}`),
    ),
  ];
}

/** A schema as a set of variants. */
interface Shape {
  /** Null if any value is valid. */
  types: Set<string> | null;
  /** Valid texts and numbers. Null if others are valid, too. */
  values: Set<unknown> | null;
  /** Fields of all variants, and whether each variant requires them. */
  fields: Map<string, { schemas: Schema[]; required: boolean }>;
  items: Schema[];
  bounds: Record<(typeof BOUNDS)[number], number | undefined>;
  isOpen: boolean;
}

const BOUNDS = ["minimum", "minLength", "minItems", "maximum", "maxLength", "maxItems"] as const;

function shapeOf(schema: Schema): Shape {
  const variants = variantsOf(schema);
  const types = new Set(variants.flatMap(typesOf));
  const scalars = variants.filter(
    each => !typesOf(each).every(type => ["object", "array", "null"].includes(type)),
  );
  const isListed = scalars.length > 0 && scalars.every(each => each.enum || each.const !== undefined);
  const objects = variants.filter(each => each.properties);
  const names = new Set(objects.flatMap(each => Object.keys(each.properties ?? {})));
  const bounded = (name: (typeof BOUNDS)[number]) => {
    const given = variants.flatMap(each => each[name] ?? []);
    if (given.length < variants.filter(each => !typesOf(each).includes("null")).length) return undefined;
    return name.startsWith("min") ? Math.min(...given) : Math.max(...given);
  };
  return {
    types: variants.some(each => typesOf(each).length === 0) ? null : types,
    values: isListed ? new Set(scalars.flatMap(each => each.enum ?? [each.const])) : null,
    fields: new Map(
      [...names].map(name => [
        name,
        {
          schemas: objects.flatMap(each => each.properties?.[name] ?? []),
          required: objects.every(each => each.required?.includes(name)),
        },
      ]),
    ),
    items: variants.flatMap(each => each.items ?? []),
    bounds: {
      ...{ minimum: bounded("minimum"), minLength: bounded("minLength"), minItems: bounded("minItems") },
      ...{ maximum: bounded("maximum"), maxLength: bounded("maxLength"), maxItems: bounded("maxItems") },
    },
    isOpen: objects.some(each => each.additionalProperties !== false),
  };
}

function variantsOf(schema: Schema): Schema[] {
  const options = schema.anyOf ?? schema.oneOf;
  return options ? options.flatMap(variantsOf) : [schema];
}

function typesOf({ type, enum: values, const: only }: Schema): string[] {
  if (type !== undefined) return [type].flat().map(each => (each === "integer" ? "number" : each));
  const listed = values ?? (only === undefined ? [] : [only]);
  return [...new Set(listed.map(each => (each === null ? "null" : typeof each)))];
}

const asOne = (schemas: Schema[]): Schema => (schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas });

/** What a response no longer has, or what it has that clients don't expect. */
function changesOfResponse(before: Schema | undefined, after: Schema | undefined, at: string): string[] {
  if (!before) return [];
  if (!after) return [`${at} body is gone`];
  const [earlier, later] = [shapeOf(before), shapeOf(after)];
  const unexpected = [...(later.types ?? [])].filter(type => earlier.types && !earlier.types.has(type));
  return [
    ...unexpected.map(type => `${at} value can be ${type} now`),
    ...[...earlier.fields].flatMap(([name, field]) => {
      const now = later.fields.get(name);
      if (!now) return [`${at} ${name} is gone`];
      return [
        ...(field.required && !now.required ? [`${at} ${name} can be absent now`] : []),
        ...changesOfResponse(asOne(field.schemas), asOne(now.schemas), `${at} ${name}:`),
      ];
    }),
    ...(earlier.items.length > 0 && later.items.length > 0
      ? changesOfResponse(asOne(earlier.items), asOne(later.items), `${at} []`)
      : []),
  ];
}

/** What a request may no longer have, or must have now. */
function changesOfRequest(before: Schema | undefined, after: Schema | undefined, at: string): string[] {
  if (!before || !after) return [];
  const [earlier, later] = [shapeOf(before), shapeOf(after)];
  const refused = [...(earlier.types ?? [])].filter(type => later.types && !later.types.has(type));
  const unlisted = later.values
    ? [...(earlier.values ?? ["other values"])].filter(each => !later.values?.has(each))
    : [];
  const hasFields = earlier.fields.size > 0 && later.fields.size > 0;
  return [
    ...refused.map(type => `${at} value can't be ${type} anymore`),
    ...unlisted.map(value => `${at} value can't be ${String(value)} anymore`),
    ...BOUNDS.filter(name => isNarrower(name, earlier.bounds[name], later.bounds[name])).map(
      name => `${at} ${name} is narrower`,
    ),
    ...(hasFields ? changesOfFields(earlier, later, at) : []),
    ...(earlier.items.length > 0 && later.items.length > 0
      ? changesOfRequest(asOne(earlier.items), asOne(later.items), `${at} []`)
      : []),
  ];
}

function changesOfFields(earlier: Shape, later: Shape, at: string): string[] {
  const required = [...later.fields].filter(
    ([name, now]) => now.required && !earlier.fields.get(name)?.required,
  );
  return [
    ...required.map(([name]) => `${at} ${name} is required now`),
    ...[...earlier.fields].flatMap(([name, field]) => {
      const now = later.fields.get(name);
      if (now) return changesOfRequest(asOne(field.schemas), asOne(now.schemas), `${at} ${name}:`);
      return later.isOpen ? [] : [`${at} ${name} is refused now`];
    }),
  ];
}

function isNarrower(name: string, before: number | undefined, after: number | undefined): boolean {
  if (after === undefined) return false;
  if (name.startsWith("min")) return after > (before ?? (name === "minimum" ? Number.NEGATIVE_INFINITY : 0));
  return after < (before ?? Number.POSITIVE_INFINITY);
}
