import type { OpenApi, Operation } from "../../services/gateway/openapi/openapi-document.ts";
import { answersOf, clientOperationsOf, type Schema } from "./client-schemas.ts";

const BEGIN = `# Generated from the OpenAPI document by \`npm run docs\`. Edit the routes and contracts instead.
from datetime import datetime
from typing import Any, Callable, Iterator, Literal, Mapping, Optional, Tuple, Union, overload
from typing_extensions import NotRequired, TypedDict

class ApiError(Exception):
    status: int
    code: str
    request_id: Optional[str]

class VrsClient:
    def __init__(
        self,
        url: str,
        api_key: Union[str, Callable[[], str]],
        *,
        timeout: float = ...,
        retry_for: float = ...,
        on_deprecated: Optional[Callable[[str, Optional[datetime], Optional[datetime]], None]] = ...,
    ) -> None: ...
`;

const END = `    def follow_run(self, run_id: str) -> Iterator[dict[str, Any]]: ...
    def follow_team(self) -> Iterator[Tuple[str, dict[str, Any]]]: ...
`;

/** The classes of objects, by their schemas, so that equal objects have one class. */
interface Classes {
  names: Map<string, string>;
  declarations: string[];
}

/** Returns the types of the Python client, for editors and type checkers. Nothing reads them when it runs. */
export function pythonClient(document: OpenApi): string {
  const classes: Classes = { names: new Map(), declarations: [] };
  const operations = clientOperationsOf(document);
  const calls = operations.map(({ name, operation }) => callOf(name, operation, classes));
  const lists = operations.flatMap(({ name, operation }) => listOf(name, operation, classes) ?? []);
  const run = answerOf(
    operations.find(({ name }) => name === "GET /v1/runs/{id}"),
    classes,
  );
  const methods = [...calls, ...lists, `    def wait_for_run(self, run_id: str) -> ${run}: ...\n`, END];
  return `${BEGIN}${methods.join("")}\n${classes.declarations.join("\n")}`;
}

function answerOf(found: { name: string; operation: Operation } | undefined, classes: Classes): string {
  if (!found) return "Any";
  const types = (answersOf(found.operation) ?? []).map(answer =>
    typeOf(answer, classNameOf(found.name, "Answer"), classes),
  );
  return union(types);
}

function callOf(name: string, operation: Operation, classes: Classes): string {
  const body = operation.requestBody?.content["application/json"]?.schema;
  const hasKey = operation.parameters.some(each => each.in === "header" && each.name === "Idempotency-Key");
  const inputs = [
    ...groupOf("path", "params", name, operation, classes),
    ...groupOf("query", "query", name, operation, classes),
    ...(body
      ? [
          operation.requestBody?.required
            ? `body: ${typeOf(body, classNameOf(name, "Body"), classes)}`
            : `body: Optional[${typeOf(body, classNameOf(name, "Body"), classes)}] = ...`,
        ]
      : []),
    ...(hasKey ? ["idempotency_key: Optional[str] = ..."] : []),
  ];
  return methodOf("call", name, inputs, answerOf({ name, operation }, classes), operation.summary);
}

/** Returns the method that reads all pages of a list; null for another operation. */
function listOf(name: string, operation: Operation, classes: Classes): string | null {
  const [answer] = answersOf(operation) ?? [];
  const items = answer?.properties?.data?.items;
  if (!items || !answer?.properties?.nextCursor || !name.startsWith("GET ")) return null;
  const inputs = [
    ...groupOf("path", "params", name, operation, classes),
    ...groupOf("query", "query", name, operation, classes),
  ];
  const item = typeOf(items, classNameOf(name, "Item"), classes);
  return methodOf("list", name, inputs, `Iterator[${item}]`, operation.summary);
}

function methodOf(method: string, name: string, inputs: string[], answer: string, summary: string): string {
  const parameters = ["self", `name: Literal[${JSON.stringify(name)}]`, ...(inputs.length > 0 ? ["*"] : [])];
  return [
    "    @overload",
    `    def ${method}(${[...parameters, ...inputs].join(", ")}) -> ${answer}:`,
    `        """${docText(`${summary}.`)}"""`,
    "",
  ].join("\n");
}

/** Returns the parameter of a method that has these parameters of the operation; none if it has none. */
function groupOf(
  place: "path" | "query",
  argument: string,
  name: string,
  { parameters }: Operation,
  classes: Classes,
): string[] {
  const own = parameters.filter(each => each.in === place);
  if (own.length === 0) return [];
  const schema: Schema = {
    type: "object",
    properties: Object.fromEntries(own.map(each => [each.name, each.schema])),
    required: own.flatMap(each => (each.required ? [each.name] : [])),
  };
  const type = typeOf(schema, classNameOf(name, place === "path" ? "Params" : "Query"), classes);
  const isRequired = own.some(each => each.required);
  return [isRequired ? `${argument}: ${type}` : `${argument}: Optional[${type}] = ...`];
}

/** Returns the Python type of a schema. @param name of the class, if it becomes one */
function typeOf(schema: Schema, name: string, classes: Classes): string {
  const { const: only, enum: values, anyOf, oneOf, items, prefixItems, type } = schema;
  if (only !== undefined) return literal([only]);
  if (values) return literal(values);
  const options = anyOf ?? oneOf;
  if (options) return union(options.map(each => typeOf(each, name, classes)));
  if (Array.isArray(type)) return union(type.map(each => typeOf({ ...schema, type: each }, name, classes)));
  if (type === "array") {
    if (prefixItems)
      return `Tuple[${prefixItems.map(each => typeOf(each, `${name}Item`, classes)).join(", ")}]`;
    return `list[${typeOf(items ?? {}, `${name}Item`, classes)}]`;
  }
  if (type === "object") return objectType(schema, name, classes);
  return (type !== undefined && SCALARS[type]) || "Any";
}

const SCALARS: Record<string, string> = {
  string: "str",
  number: "float",
  integer: "int",
  boolean: "bool",
  null: "None",
};

function objectType(schema: Schema, name: string, classes: Classes): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (Object.keys(properties).length === 0) {
    const value =
      typeof additionalProperties === "object"
        ? typeOf(additionalProperties, `${name}Entry`, classes)
        : "Any";
    return `Mapping[str, ${value}]`;
  }
  const key = JSON.stringify(schema);
  const known = classes.names.get(key);
  if (known !== undefined) return known;
  const own = freeName(name, classes);
  classes.names.set(key, own);
  const fields = Object.entries(properties).map(([field, each]) => {
    const type = typeOf(each, own + pascal(field), classes);
    return `    ${JSON.stringify(field)}: ${required.includes(field) ? type : `NotRequired[${type}]`},\n`;
  });
  // This form allows names that Python reserves, such as "from".
  classes.declarations.push(`${own} = TypedDict(${JSON.stringify(own)}, {\n${fields.join("")}})\n`);
  return own;
}

function freeName(name: string, { names }: Classes): string {
  const taken = new Set(names.values());
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}${number}`;
    if (!taken.has(free)) return free;
  }
}

/** Returns such as `GetRunsIdAnswer` for `GET /v1/runs/{id}`. */
function classNameOf(name: string, role: string): string {
  return name.replace("/v1/", "/").split(/\W+/).map(pascal).join("") + role;
}

const pascal = (word: string) => {
  const plain = word.replace(/\W/g, "");
  const isShouted = plain === plain.toUpperCase();
  return plain.slice(0, 1).toUpperCase() + (isShouted ? plain.slice(1).toLowerCase() : plain.slice(1));
};

/** Python's literals of JSON values. */
const literal = (values: unknown[]): string =>
  values.every(value => typeof value === "string" || typeof value === "boolean" || Number.isInteger(value))
    ? `Literal[${values.map(value => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value))).join(", ")}]`
    : values.includes(null)
      ? union([literal(values.filter(value => value !== null)), "None"])
      : "float";

function union(types: string[]): string {
  const all = [...new Set(types)];
  return all.length === 1 ? (all[0] ?? "Any") : `Union[${all.join(", ")}]`;
}

const docText = (text: string) =>
  text
    .replaceAll("\\", "\\\\")
    .replaceAll('"""', "'''")
    .replace(/([.!?])\.$/, "$1");
