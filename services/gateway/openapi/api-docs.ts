import { ERRORS } from "../../../shared/errors.ts";
import { cell, fieldTable, meaningOf, typeInWords } from "./describe-schema.ts";
import type { OpenApi, Operation } from "./openapi-document.ts";

/**
 * Returns the API's documentation as Markdown for `docs/reference/api.md`, and for `/docs` if the docs are not
 * built.
 */
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
    "This page lists every route of the HTTP API, with its parameters, fields and answers.",
    "",
    "Send `Authorization: Bearer <API key>` or the cookie of a session, unless a route says otherwise. With a session, the header `Vrs-Team` names the team. Without it, the team that you joined first counts.",
    "",
    "- Bodies are JSON in UTF-8, at most 1 MiB, except for uploads and the code host's events. Unknown fields are refused by name.",
    "- Times are ISO 8601 in UTC. Ids sort by creation time.",
    "- Lists take `limit` and `cursor` and return `{ data, nextCursor }`. `nextCursor` is null on the last page.",
    "- In the tables, `?` marks an optional field or parameter. `[]` stands for the elements of a list, and `*` for the keys of a map.",
    "- `GET /v1/openapi.json` returns the same as an OpenAPI document.",
    "- [Compatibility](compatibility.md) says what can change in `/v1`.",
    "",
    "| Route | Purpose | Role |",
    "|---|---|---|",
    ...operations.map(
      ({ name, operation }) =>
        `| [\`${name}\`](#${anchor(name)}) | ${operation.summary} | ${roleInWords(operation)} |`,
    ),
    "",
    ...operations.flatMap(({ name, operation }) => operationMarkdown(name, operation)),
    ...webhooksMarkdown(document),
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
    ...(operation.description === undefined ? [] : [operation.description, ""]),
    ...(query.length > 0 ? ["| Parameter | In | Type | Meaning |", "|---|---|---|---|"] : []),
    ...query.map(
      ({ name: field, in: place, required, schema, description = "" }) =>
        `| \`${field}${required ? "" : "?"}\` | ${place} | ${cell(typeInWords(schema))} | ${cell(description || meaningOf(schema))} |`,
    ),
    ...(query.length > 0 ? [""] : []),
    ...(body ? ["Body:", "", ...fieldTable(body), ""] : []),
    ...answersMarkdown(operation),
  ];
}

function answersMarkdown({ responses }: Operation): string[] {
  const shown = new Set<string>();
  return Object.entries(responses).flatMap(([status, { description, content = {} }]) => {
    if (status === "default") return [];
    const [[type, { schema }] = ["", { schema: {} }]] = Object.entries(content);
    const fields = type === "application/json" ? fieldTable(schema) : [];
    const line = `\`${status}\` ${description}${type && `, \`${type}\``}`;
    if (fields.length === 0) return [`${line}.`, ""];
    if (shown.has(fields.join())) return [`${line}. Same fields as above.`, ""];
    shown.add(fields.join());
    return [`${line}:`, "", ...fields, ""];
  });
}

function webhooksMarkdown({ webhooks }: OpenApi): string[] {
  return [
    "## Webhook events",
    "",
    "The service sends these requests to webhooks. `type` names the event. Headers are those of Standard Webhooks.",
    "",
    ...Object.entries(webhooks).flatMap(([type, { post }]) => [
      `### ${type}`,
      "",
      `${post.summary}.`,
      "",
      ...fieldTable(post.requestBody.content["application/json"]?.schema ?? {}),
      "",
    ]),
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
      `\`${status}\` ${title}. ${remedy}${retryable ? " You can retry the request." : ""}`,
      "",
    ]),
  ];
}

function roleInWords(operation: Operation): string {
  if (operation["x-scope"]) return `a key with the scope ${operation["x-scope"]}`;
  if (operation["x-role"] === "public") return "none";
  if (operation["x-role"] === "signed") return "none; the request is signed";
  if (operation["x-role"] === "any") return "any API key or session";
  if (operation["x-role"] === "link") return "viewer, or a signed link";
  return operation["x-upload-keys"]
    ? `${operation["x-role"]}, or a key with the scope upload`
    : operation["x-role"];
}

/** Returns the anchor that GitHub and `/docs` give a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]+/g, "")
    .replaceAll(" ", "-");
}
