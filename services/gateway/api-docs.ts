import { ERRORS } from "../../shared/errors.ts";
import type { OpenApi, Operation } from "./openapi.ts";

/** The API as Markdown: `docs/api.md` is this text, and `/docs` this text as a page. */
export function apiMarkdown(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  return `${[
    "# API",
    "",
    "Every request carries `Authorization: Bearer <API key>`, except where a route says otherwise. Bodies are JSON in UTF-8, of 1 MiB at most. Times are ISO 8601 in UTC. Ids sort by the time at which they were made. Fields that are not listed are refused by name.",
    "",
    "Lists take `limit` and `cursor` and answer `{ data, nextCursor }`; `nextCursor` is null on the last page.",
    "",
    "The same as a machine reads it: `GET /v1/openapi.json`.",
    "",
    "| Route | What it does | Role |",
    "|---|---|---|",
    ...operations.map(
      ({ name, operation }) =>
        `| [\`${name}\`](#${anchor(name)}) | ${operation.summary} | ${roleInWords(operation)} |`,
    ),
    "",
    ...operations.flatMap(({ name, operation }) => operationMarkdown(name, operation)),
    ...errorsMarkdown(),
  ].join("\n")}\n`;
}

function operationMarkdown(name: string, operation: Operation): string[] {
  const body = operation.requestBody?.content["application/json"]?.schema;
  const query = operation.parameters.filter(parameter => parameter.in !== "path");
  return [
    `## ${name}`,
    "",
    `${operation.summary}. Role: ${roleInWords(operation)}.`,
    "",
    ...(query.length > 0 ? ["| Parameter | In | Type | Meaning |", "|---|---|---|---|"] : []),
    ...query.map(
      ({ name: field, in: place, schema, description = "" }) =>
        `| \`${field}\` | ${place} | ${cell(typeOf(schema))} | ${cell(description || textOf(schema, "description"))} |`,
    ),
    ...(query.length > 0 ? [""] : []),
    ...(body ? ["Body:", "", ...fieldTable(body), ""] : []),
    ...Object.entries(operation.responses).flatMap(([status, answer]) => {
      if (status === "default") return [];
      const [type = "", content] = Object.entries(answer.content ?? {})[0] ?? [];
      const fields = content && type === "application/json" ? fieldTable(content.schema) : [];
      return [
        `\`${status}\` ${answer.description}${type ? `, \`${type}\`` : ""}${fields.length > 0 ? ":" : "."}`,
        "",
        ...fields,
        ...(fields.length > 0 ? [""] : []),
      ];
    }),
  ];
}

function errorsMarkdown(): string[] {
  return [
    "## Errors",
    "",
    "Errors are `application/problem+json` (RFC 9457): `type`, `title`, `status`, `detail`, `code`, `requestId`, and for bad fields `errors: [{ path, message }]`.",
    "",
    ...Object.entries(ERRORS).flatMap(([code, { status, title, remedy, retryable }]) => [
      `### ${code}`,
      "",
      `\`${status}\` ${title}. ${remedy}${retryable ? " Retrying may help." : ""}`,
      "",
    ]),
  ];
}

interface Schema {
  type?: string;
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
  description?: string;
}

function fieldTable(schema: Schema): string[] {
  const rows = fieldRows(schema, "");
  return rows.length > 0 ? ["| Field | Type | Meaning |", "|---|---|---|", ...rows] : [];
}

function fieldRows(schema: Schema, prefix: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const required = schema.required?.includes(name) && field.default === undefined ? "" : "?";
    const row = `| \`${path}${required}\` | ${cell(typeOf(field))} | ${cell(meaningOf(field))} |`;
    const inner = field.properties ? field : (objectAmong(field) ?? field.items);
    return [row, ...(inner ? fieldRows(inner, field.items ? `${path}[].` : `${path}.`) : [])];
  });
}

function objectAmong({ anyOf, oneOf }: Schema): Schema | undefined {
  return (anyOf ?? oneOf)?.find(option => option.properties);
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(" or ");
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(typeOf))].join(" or ");
  if (schema.type === "array") return `array of ${typeOf(schema.items ?? {})}`;
  return schema.type ?? "any";
}

function meaningOf(schema: Schema): string {
  const { description, minimum, maximum, maxItems, default: preset } = schema;
  const bounds =
    maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? `${minimum ?? 0}–${maximum}` : "";
  const most = maxItems === undefined ? "" : `at most ${maxItems}`;
  const usual = preset === undefined ? "" : `default \`${JSON.stringify(preset)}\``;
  return [description, bounds, most, usual].filter(Boolean).join("; ");
}

function textOf(schema: Schema, field: "description"): string {
  return schema[field] ?? meaningOf(schema);
}

function roleInWords(operation: Operation): string {
  if (operation["x-role"] === "public") return "none, no key needed";
  if (operation["x-role"] === "link") return "viewer, or a signed link";
  return operation["x-role"];
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** The anchor that GitHub and `/docs` give a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]+/g, "")
    .replaceAll(" ", "-");
}
