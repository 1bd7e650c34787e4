import type { OpenApi, Operation } from "../../services/gateway/openapi/openapi-document.ts";
import { answersOf, clientOperationsOf, type Schema } from "./client-schemas.ts";

const BEGIN = `/** Generated from the OpenAPI document by \`npm run docs\`. Edit the routes and contracts instead. */

/** What each operation of \`/v1\` takes, and its response. */
export interface Operations {
`;

/** Shorter types are repeated, because a name says less. */
const NAMED_CHARS = 240;

/** Types that several operations have, by their schemas. */
interface NamedTypes {
  /** How often each schema was printed. */
  uses: Map<string, number>;
  names: Map<string, string>;
  declarations: string[];
}

/** Returns the source of the client's types: every operation of `/v1` that responds with JSON. */
export function clientOperations(document: OpenApi): string {
  const operations = clientOperationsOf(document);
  const named: NamedTypes = { uses: new Map(), names: new Map(), declarations: [] };
  const print = () => operations.map(({ name, operation }) => entry(name, operation, named)).join("\n");
  // The first time counts the types.
  print();
  const printed = print();
  return `${BEGIN}${printed}}\n${named.declarations.map(each => `\n${each}\n`).join("")}`;
}

function entry(name: string, operation: Operation, named: NamedTypes): string {
  const { summary, parameters, requestBody } = operation;
  const inPlace = (place: string) => parameters.filter(parameter => parameter.in === place);
  const group = (place: string) =>
    objectType(
      {
        properties: Object.fromEntries(inPlace(place).map(each => [each.name, each.schema])),
        required: inPlace(place).flatMap(each => (each.required ? [each.name] : [])),
      },
      "      ",
      named,
    );
  const body = requestBody?.content["application/json"]?.schema;
  const input = [
    ...(inPlace("path").length > 0 ? [`params: ${group("path")};`] : []),
    ...(inPlace("query").some(each => each.required)
      ? [`query: ${group("query")};`]
      : inPlace("query").length > 0
        ? [`query?: ${group("query")} | undefined;`]
        : []),
    ...(body ? [`body${requestBody?.required ? "" : "?"}: ${typeOf(body, "      ", "Body", named)};`] : []),
    ...(inPlace("header").some(each => each.name === "Idempotency-Key")
      ? [
          "/** A request that repeats it returns the first one's result. */",
          "idempotencyKey?: string | undefined;",
        ]
      : []),
  ];
  const answers = answersOf(operation) ?? [];
  return [
    ...comment(`${summary}.`, "  "),
    `  ${JSON.stringify(name)}: {`,
    input.length > 0
      ? `    input: {\n${input.map(line => `      ${line}\n`).join("")}    };`
      : "    input: object;",
    `    answer: ${union(answers.map(answer => typeOf(answer, "    ", "Answer", named)))};`,
    "  };",
    "",
  ].join("\n");
}

/**
 * Returns the TypeScript type of a schema.
 * @param indent of the line on which it starts
 * @param field that has it, which gives a repeated type its name
 */
function typeOf(schema: Schema, indent: string, field: string, named: NamedTypes): string {
  const { description: _description, default: _default, ...rest } = schema;
  const key = JSON.stringify(rest);
  const known = named.names.get(key);
  if (known !== undefined) return known;
  const printed = plainTypeOf(schema, indent, field, named);
  const uses = (named.uses.get(key) ?? 0) + 1;
  named.uses.set(key, uses);
  if (uses < 3 || printed.length < NAMED_CHARS) return printed;
  const name = freeName(field, named);
  named.names.set(key, name);
  named.declarations.push(`type ${name} = ${plainTypeOf(schema, "", field, named)};`);
  return name;
}

function freeName(field: string, { names }: NamedTypes): string {
  const base = field.slice(0, 1).toUpperCase() + field.slice(1).replace(/\W/g, "");
  const taken = new Set(names.values());
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}${number}`;
    if (!taken.has(name)) return name;
  }
}

function plainTypeOf(schema: Schema, indent: string, field: string, named: NamedTypes): string {
  const { const: only, enum: values, anyOf, oneOf, items, prefixItems, type } = schema;
  const inner = (each: Schema) => typeOf(each, indent, field, named);
  if (only !== undefined) return JSON.stringify(only);
  if (values) return union(values.map(value => JSON.stringify(value)));
  const options = anyOf ?? oneOf;
  if (options) return union(options.map(inner));
  if (Array.isArray(type)) return union(type.map(each => inner({ ...schema, type: each })));
  if (type === "array") {
    if (prefixItems) return `[${prefixItems.map(inner).join(", ")}]`;
    const item = inner(items ?? {});
    return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`;
  }
  if (type === "object") return objectType(schema, indent, named);
  return (type !== undefined && SCALARS[type]) || "unknown";
}

const SCALARS: Record<string, string> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

const union = (types: string[]) => [...new Set(types)].join(" | ");

function objectType(
  { properties = {}, required = [], additionalProperties }: Schema,
  indent: string,
  named: NamedTypes,
): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const isRequired = required.includes(name);
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const type = typeOf(field, inner, name, named);
    return [
      ...(field.description === undefined ? [] : comment(`${field.description}.`, inner)),
      `${inner}${key}${isRequired ? "" : "?"}: ${type}${isRequired ? "" : " | undefined"};`,
    ];
  });
  const values =
    typeof additionalProperties === "object" ? typeOf(additionalProperties, inner, "entry", named) : null;
  if (fields.length === 0) return values === null ? "Record<string, unknown>" : `Record<string, ${values}>`;
  return `{\n${fields.join("\n")}\n${indent}}`;
}

function comment(text: string, indent: string): string[] {
  return [
    `${indent}/** ${text
      .replaceAll("*/", "*\\/")
      .replaceAll("\n", " ")
      .replace(/([.!?])\.$/, "$1")} */`,
  ];
}
