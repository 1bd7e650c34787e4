import { ERRORS } from "../../shared/errors.ts";
import { cell, fieldTable, meaningOf, typeInWords } from "./describe-schema.ts";
import type { OpenApi, Operation } from "./openapi-document.ts";

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
    "Every request carries `Authorization: Bearer <API key>`, or the cookie of a session, except where a route says otherwise. With a session the header `Vrs-Team` names the team that is asked about; without it that is the one joined first. Bodies are JSON in UTF-8, of 1 MiB at most. Times are ISO 8601 in UTC. Ids sort by the time at which they were made. Fields that are not listed are refused by name.",
    "",
    "In the tables `?` marks a field that may be left out, `[]` the elements of a list, `*` the keys of a map.",
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
        `| \`${field}\` | ${place} | ${cell(typeInWords(schema))} | ${cell(description || meaningOf(schema))} |`,
    ),
    ...(query.length > 0 ? [""] : []),
    ...(body ? ["Body:", "", ...fieldTable(body), ""] : []),
    ...answersMarkdown(operation),
  ];
}

function answersMarkdown({ responses }: Operation): string[] {
  const told = new Set<string>();
  return Object.entries(responses).flatMap(([status, { description, content = {} }]) => {
    if (status === "default") return [];
    const [[type, { schema }] = ["", { schema: {} }]] = Object.entries(content);
    const fields = type === "application/json" ? fieldTable(schema) : [];
    const line = `\`${status}\` ${description}${type && `, \`${type}\``}`;
    if (fields.length === 0) return [`${line}.`, ""];
    if (told.has(fields.join())) return [`${line}, with the same fields.`, ""];
    told.add(fields.join());
    return [`${line}:`, "", ...fields, ""];
  });
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

function roleInWords(operation: Operation): string {
  if (operation["x-role"] === "public") return "none, no key needed";
  if (operation["x-role"] === "signed") return "none, it is signed";
  if (operation["x-role"] === "any") return "any key or session";
  if (operation["x-role"] === "link") return "viewer, or a signed link";
  return operation["x-role"];
}

/** The anchor that GitHub and `/docs` give a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]+/g, "")
    .replaceAll(" ", "-");
}
