/**
 * Regenerates gitlab-api.json from the parts of GitLab's public API description that the service uses:
 * `node test/support/fakes/gitlab/make-gitlab-api.ts openapi_v2.yaml`.
 * The description is the file doc/api/openapi/openapi_v2.yaml of GitLab's repository. It has no license that we can
 * use for its texts, so only names, types and requirements are kept.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

/** The requests of the service. Add new ones here. */
const OPERATIONS = [
  "GET /projects/{id}",
  "POST /projects/{id}/hooks",
  "PUT /projects/{id}/hooks/{hook_id}",
  "DELETE /projects/{id}/hooks/{hook_id}",
  "GET /projects/{id}/merge_requests",
  "POST /projects/{id}/merge_requests",
  "GET /projects/{id}/repository/branches/{branch}",
  "GET /projects/{id}/repository/commits",
  "POST /projects/{id}/repository/commits",
  "GET /projects/{id}/repository/commits/{sha}",
  "GET /projects/{id}/repository/commits/{sha}/merge_requests",
  "GET /projects/{id}/repository/commits/{sha}/statuses",
  "GET /projects/{id}/repository/compare",
  "GET /projects/{id}/repository/files/{file_path}",
  "GET /projects/{id}/repository/merge_base",
  "GET /projects/{id}/repository/tags/{tag_name}",
  "GET /projects/{id}/repository/tree",
  "POST /projects/{id}/statuses/{sha}",
  "GET /personal_access_tokens/self",
  "POST /personal_access_tokens/self/rotate",
];

const text = { type: "string" };
const number = { type: "integer" };
const inPath = (...names: string[]) =>
  names.map(name => ({ name, in: "path", required: true, schema: text }));
const inQuery = (names: Record<string, object>) =>
  Object.entries(names).map(([name, schema]) => ({ name, in: "query", required: false, schema }));
const noteBody = {
  required: true,
  content: {
    "application/json": { schema: { type: "object", properties: { body: text }, required: ["body"] } },
  },
};

const ofDiscussion = inPath("id", "merge_request_iid", "discussion_id");
const resolvedBody = {
  required: true,
  content: {
    "application/json": {
      schema: { type: "object", properties: { resolved: { type: "boolean" } }, required: ["resolved"] },
    },
  },
};

/**
 * Requests that the description lacks, but the documentation's pages "Notes API", "Discussions API" and "Users API" have.
 */
const DOCUMENTED = {
  "/user": { get: { parameters: [] } },
  "/projects/{id}/merge_requests/{merge_request_iid}/notes": {
    get: {
      parameters: [
        ...inPath("id", "merge_request_iid"),
        ...inQuery({
          sort: { enum: ["asc", "desc"] },
          order_by: { enum: ["created_at", "updated_at"] },
          page: number,
          per_page: number,
        }),
      ],
    },
    post: { parameters: inPath("id", "merge_request_iid"), requestBody: noteBody },
  },
  "/projects/{id}/merge_requests/{merge_request_iid}/notes/{note_id}": {
    put: { parameters: inPath("id", "merge_request_iid", "note_id"), requestBody: noteBody },
    delete: { parameters: inPath("id", "merge_request_iid", "note_id") },
  },
  "/projects/{id}/merge_requests/{merge_request_iid}/discussions": {
    get: {
      parameters: [...inPath("id", "merge_request_iid"), ...inQuery({ page: number, per_page: number })],
    },
    post: { parameters: inPath("id", "merge_request_iid"), requestBody: noteBody },
  },
  "/projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}": {
    get: { parameters: ofDiscussion },
    put: { parameters: ofDiscussion, requestBody: resolvedBody },
  },
};

type Shape = {
  type?: string;
  enum?: unknown[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: string[];
};
const shape: z.ZodType<Shape> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    // The description requires all fields of a commit's actions, although each kind of action has its own.
    items: shape.transform(({ required: _required, ...item }) => item).optional(),
    properties: z.record(z.string(), shape).optional(),
    required: z.array(z.string()).optional(),
  }),
);
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  schema: z.object({ $ref: z.string() }).optional(),
});
const description = z.object({
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.object({ parameters: z.array(parameter).default([]) }))),
  definitions: z.record(z.string(), z.unknown()),
});

const source = process.argv[2] ?? "openapi_v2.yaml";
const { info, paths, definitions } = description.parse(
  parse(await readFile(source, "utf8"), { maxAliasCount: -1 }),
);
const used: Record<string, Record<string, object>> = {};
for (const name of OPERATIONS) {
  const [method = "", path = ""] = name.split(" ");
  const found = paths[`/api/v4${path}`]?.[method.toLowerCase()];
  if (!found) throw new Error(`${source} has no ${name}.`);
  used[path] = { ...used[path], [method.toLowerCase()]: operationOf(found.parameters) };
}
const from = { title: "GitLab REST API", version: info.version, from: "doc/api/openapi/openapi_v2.yaml" };
const made = { info: from, paths: { ...used, ...DOCUMENTED }, components: { parameters: {} } };
await writeFile(join(import.meta.dirname, "gitlab-api.json"), `${JSON.stringify(made, null, 1)}\n`);

function operationOf(all: z.infer<typeof parameter>[]): object {
  const body = all
    .find(each => each.in === "body")
    ?.schema?.$ref.split("/")
    .at(-1);
  const schema = body === undefined ? null : shape.parse(definitions[body]);
  const parameters = all
    .filter(each => each.in !== "body")
    // A list is sent as `name[]`.
    .map(({ name, type, ...each }) => ({
      name: type === "array" ? `${name}[]` : name,
      in: each.in,
      required: each.required,
      schema: type === "array" ? {} : { type, enum: each.enum },
    }));
  return {
    parameters,
    ...(schema && { requestBody: { required: true, content: { "application/json": { schema } } } }),
  };
}
