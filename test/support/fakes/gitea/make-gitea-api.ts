/**
 * Regenerates gitea-api.json from the parts of the public API description that the service uses:
 * `node test/support/fakes/gitea/make-gitea-api.ts swagger.v1.json`.
 * The description is the file /swagger.v1.json of any Forgejo or Gitea instance. Only names, types and requirements are
 * kept.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** The requests of the service. Add new ones here. */
const OPERATIONS = [
  "GET /user",
  "GET /repos/{owner}/{repo}",
  "GET /repos/{owner}/{repo}/branches/{branch}",
  "GET /repos/{owner}/{repo}/tags/{tag}",
  "GET /repos/{owner}/{repo}/contents",
  "POST /repos/{owner}/{repo}/contents",
  "GET /repos/{owner}/{repo}/contents/{filepath}",
  "GET /repos/{owner}/{repo}/compare/{basehead}",
  "GET /repos/{owner}/{repo}/git/commits/{sha}",
  "GET /repos/{owner}/{repo}/pulls",
  "POST /repos/{owner}/{repo}/pulls",
  "GET /repos/{owner}/{repo}/pulls/{index}/commits",
  "GET /repos/{owner}/{repo}/issues/{index}/comments",
  "POST /repos/{owner}/{repo}/issues/{index}/comments",
  "PATCH /repos/{owner}/{repo}/issues/comments/{id}",
  "DELETE /repos/{owner}/{repo}/issues/comments/{id}",
  "GET /repos/{owner}/{repo}/statuses/{sha}",
  "POST /repos/{owner}/{repo}/statuses/{sha}",
  "POST /repos/{owner}/{repo}/hooks",
  "PATCH /repos/{owner}/{repo}/hooks/{id}",
  "DELETE /repos/{owner}/{repo}/hooks/{id}",
];

const reference = z.object({ $ref: z.string() });
const shape = z.object({
  $ref: z.string().optional(),
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  schema: reference.optional(),
});
const description = z.object({
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  definitions: z.record(z.string(), z.unknown()),
});
const operation = z.object({ parameters: z.array(parameter).default([]) });

const source = process.argv[2] ?? "swagger.v1.json";
const { info, paths, definitions } = description.parse(JSON.parse(await readFile(source, "utf8")));
const used: Record<string, Record<string, object>> = {};
for (const name of OPERATIONS) {
  const [method = "", path = ""] = name.split(" ");
  const found = paths[path]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`${source} has no ${name}.`);
  used[path] = { ...used[path], [method.toLowerCase()]: operationOf(operation.parse(found).parameters) };
}
const from = { ...info, from: "swagger.v1.json" };
const made = { info: from, paths: used, components: { parameters: {} } };
await writeFile(join(import.meta.dirname, "gitea-api.json"), `${JSON.stringify(made, null, 2)}\n`);

function operationOf(all: z.infer<typeof parameter>[]): object {
  const body = all.find(each => each.in === "body");
  const parameters = all
    .filter(each => each.in !== "body")
    .map(({ type, enum: values, ...each }) => ({ ...each, schema: { type, enum: values } }));
  if (!body?.schema) return { parameters };
  const schema = { ...resolve(body.schema), additionalProperties: false };
  return { parameters, requestBody: { required: true, content: { "application/json": { schema } } } };
}

/** Returns a schema with the definitions that it refers to. */
function resolve(value: unknown): object {
  const { $ref, items, properties, ...rest } = shape.parse(value);
  if ($ref !== undefined) return resolve(definitions[$ref.split("/").at(-1) ?? ""]);
  return {
    ...rest,
    ...(items !== undefined && { items: resolve(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, resolve(each)])),
    }),
  };
}
